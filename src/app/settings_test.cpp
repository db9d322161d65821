#include "app/settings.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "app/chat_setup.h"

namespace holdfast::app {
namespace {

namespace fs = std::filesystem;

using Texts = std::map<std::string, std::string>;

Settings::Environment environment_of(const Texts& variables) {
  return [variables](const std::string& name) -> std::optional<std::string> {
    const auto it = variables.find(name);
    return it == variables.end() ? std::nullopt : std::optional(it->second);
  };
}

class SettingsTest : public testing::Test {
 protected:
  SettingsTest() {
    folder_ = fs::temp_directory_path() / ("holdfast-settings-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  ~SettingsTest() override { fs::remove_all(folder_); }

  void write_file(const std::string& text) { std::ofstream(folder_ / "holdfast.toml") << text; }
  Result<Settings> load(Texts given = {}, const Texts& variables = {}) {
    given.try_emplace("data", folder_.string());
    return Settings::load(given, environment_of(variables));
  }

  fs::path folder_;
};

TEST_F(SettingsTest, TheCommandLineWinsThenTheEnvironmentThenTheFile) {
  write_file(
      "listen = \"file:1\"\nauth = \"tokens\"\nworkers = 8\n[vector]\nmode = \"endpoint\"\n");

  const auto settings = *load({{"listen", "option:3"}},
                              {{"HOLDFAST_LISTEN", "variable:2"}, {"HOLDFAST_AUTH", "off"}});

  EXPECT_EQ(settings.text("listen"), "option:3");
  EXPECT_EQ(settings.text("auth"), "off");
  EXPECT_EQ(*settings.integer("workers", 1, 100), 8);
  EXPECT_EQ(settings.text("vector.mode"), "endpoint");
  EXPECT_EQ(settings.text("log"), "text");
}

TEST_F(SettingsTest, TheFileMayHoldDecimalNumbers) {
  write_file("[chat]\nprice_in_per_1k = 0.25\n");

  const auto settings = load();

  ASSERT_TRUE(settings.has_value()) << settings.error().message;
  EXPECT_EQ(settings->text("chat.price_in_per_1k"), "0.25");
}

TEST_F(SettingsTest, AnOptionIsNamedAsItIsWritten) {
  EXPECT_EQ(load({{"vector.dimensions", "many"}})
                ->integer("vector.dimensions", 0, 9)
                .error()
                .message.substr(0, 42),
            "The option --vector-dimensions is 'many', ");
}

TEST_F(SettingsTest, APriceThatIsNoneIsNamedWithItsPlace) {
  const auto options = chat_options(*load({{"chat.price_in_per_1k", "x"}}));
  ASSERT_FALSE(options.has_value());
  EXPECT_EQ(options.error().message.substr(0, 43), "The option --chat-price-in-per-1k is 'x', b");
}

TEST_F(SettingsTest, AValueThatCannotBeParsedIsNamedWithItsPlace) {
  const auto settings =
      *load({}, {{"HOLDFAST_WORKERS", "many"}, {"HOLDFAST_RATE_LIMITS", "perhaps"}});

  EXPECT_EQ(settings.integer("workers", 1, 256).error().message,
            "The variable HOLDFAST_WORKERS is 'many', but must be a whole number from 1 to 256.");
  EXPECT_EQ(settings.boolean("rate-limits").error().message,
            "The variable HOLDFAST_RATE_LIMITS is 'perhaps', but must be on or off.");
  EXPECT_EQ(settings.one_of("auth", {"tokens"}).error().message,
            "The default is 'off', but must be one of tokens.");
}

TEST_F(SettingsTest, AnUnknownKeyOrBrokenFileStopsTheStart) {
  write_file("lisen = \"x\"\n");
  EXPECT_NE(load().error().message.find("there is no setting 'lisen'"), std::string::npos);

  write_file("listen = \n");
  EXPECT_NE(load().error().message.find("line 1"), std::string::npos);
}

TEST_F(SettingsTest, AFolderIsNoFileWithoutSettings) {
  const auto settings = load({{"config", folder_.string()}});

  ASSERT_FALSE(settings.has_value());
  EXPECT_NE(settings.error().message.find("cannot be read"), std::string::npos);
}

TEST_F(SettingsTest, ListsAreSplitAtCommas) {
  write_file("allow-host = [\"a\", \"b\"]\n");

  EXPECT_EQ(load()->list("allow-host"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(load({{"allow-host", " x , ,y"}})->list("allow-host"),
            (std::vector<std::string>{"x", "y"}));
}

TEST_F(SettingsTest, TheDataFolderFollowsTheDesktopRules) {
  const auto with = [](const Texts& variables) {
    return Settings::load({}, environment_of(variables))->text("data");
  };

  EXPECT_EQ(with({{"HOME", "/h"}}), "/h/.local/share/holdfast");
  EXPECT_EQ(with({{"HOME", "/h"}, {"XDG_DATA_HOME", "/x"}}), "/x/holdfast");
  EXPECT_EQ(with({{"HOME", "/h"}, {"XDG_DATA_HOME", "/x"}, {"MEMORY_SUBSTRATE_ROOT", "~/m"}}),
            "/h/m");
  EXPECT_EQ(with({{"HOME", "/h"}, {"MEMORY_SUBSTRATE_ROOT", "/m"}}), "/m");
  EXPECT_EQ(with({{"HOME", "/h"}, {"HOLDFAST_DATA", "/d"}}), "/d");
}

}  // namespace
}  // namespace holdfast::app
