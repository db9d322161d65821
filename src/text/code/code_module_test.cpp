#include "text/code/code_module.h"

#include <gtest/gtest.h>

namespace holdfast::text {
namespace {

using Names = std::vector<std::string>;

constexpr std::string_view kModule = R"py("""Keeps things.

More."""
import os, sys as system
from pathlib import Path
from . import sibling
from ..pkg.mod import (one as uno, two,)

app = make_app()


@app.get("/items/{id}", name="x")
async def read(id: int, *, q: "str | None" = None, **rest: dict[str,int]) -> Item:
    """Reads one.

    Args:
        id: which one,
            and no other
        q (str): filter
    Returns:
        the item
    """
    def helper():
        hidden()
    return client.session().get(f"{id}", key=lambda v: v.strip())


class Store(Base, generic.Mixin[int], metaclass=Meta):
    """A store."""
    limit = compute()

    @property
    def size(self): return len(self.items)

    @cli.command()
    def drop(self, force=-1, names=("a", 'b')):
        with self.lock as held, open("x") as (a, b):
            raise ValueError("no") from None


class TestStore:
    pass


def test_it():
    match value:
        case {"k": [1, *rest]} if rest:
            pass
        case _:
            print(value)
)py";

CodeModule parsed() {
  auto module = parse_python(kModule);
  EXPECT_TRUE(module.has_value());
  return module.value_or(CodeModule());
}

TEST(PythonModuleTest, NamesClassesFunctionsAndMethods) {
  const CodeModule module = parsed();

  EXPECT_EQ(module.classes, (Names{"Store", "TestStore"}));
  EXPECT_EQ(module.functions, (Names{"Store.size", "Store.drop", "read", "test_it"}));
  EXPECT_EQ(module.module_doc, "Keeps things.");
  ASSERT_EQ(module.class_docs.size(), 1U);
  EXPECT_EQ(module.class_docs[0].second, "A store.");
}

TEST(PythonModuleTest, SymbolsHaveTheLinesOfTheirDefinitions) {
  const CodeModule module = parsed();

  ASSERT_EQ(module.symbols.size(), 6U);
  EXPECT_EQ(module.symbols[0].name, "read");
  EXPECT_EQ(module.symbols[0].line_start, 13);
  EXPECT_EQ(module.symbols[0].line_end, 25);
  EXPECT_EQ(module.symbols[1].name, "Store");
  EXPECT_EQ(module.symbols[1].line_start, 28);
  EXPECT_EQ(module.symbols[1].line_end, 38);
}

TEST(PythonModuleTest, ImportsKeepLevelsAndAliases) {
  const CodeModule module = parsed();

  EXPECT_EQ(module.imports, (Names{"os", "sys", "pathlib", ".", "..pkg.mod"}));
  ASSERT_EQ(module.import_details.size(), 6U);
  EXPECT_EQ(module.import_details[1].alias, "system");
  EXPECT_EQ(module.import_details[4].imported_name, "one");
  EXPECT_EQ(module.import_details[4].alias, "uno");
  EXPECT_EQ(module.import_details[4].level, 2);
  EXPECT_EQ(module.import_details[4].module, "pkg.mod");
}

TEST(PythonModuleTest, InterfacesCarrySignaturesAndDocumentation) {
  const CodeModule module = parsed();
  const CodeInterface& read = module.interfaces.at(0);
  const CodeInterface& drop = module.interfaces.at(2);

  EXPECT_EQ(read.signature,
            "read(id: int, q: 'str | None' = None, **rest: dict[str, int]) -> Item");
  EXPECT_TRUE(read.is_async);
  EXPECT_EQ(read.doc, "Reads one.");
  EXPECT_EQ(read.parameters.at(0).description, "which one, and no other");
  EXPECT_EQ(read.parameters.at(1).description, "filter");
  EXPECT_TRUE(read.parameters.at(0).required);
  EXPECT_FALSE(read.parameters.at(1).required);
  EXPECT_EQ(read.return_description, "the item");
  EXPECT_EQ(drop.name, "Store.drop");
  EXPECT_EQ(drop.signature, "drop(force = -1, names = ('a', 'b'))");
}

TEST(PythonModuleTest, CallsOfABodyLeaveOutNestedFunctions) {
  std::vector<std::string> callees;
  for (const auto& call : parsed().call_sites)
    if (call.caller == "read") callees.push_back(call.callee);

  EXPECT_EQ(callees, (Names{"client.session", "client.session().get", "v.strip"}));
}

TEST(PythonModuleTest, BasesAreInheritanceAndKeywordsAreNot) {
  const CodeModule module = parsed();

  ASSERT_EQ(module.inheritance.size(), 2U);
  EXPECT_EQ(module.inheritance[0].base, "Base");
  EXPECT_EQ(module.inheritance[1].base, "generic.Mixin[int]");
}

TEST(PythonModuleTest, FrameworkEntriesAreFound) {
  std::vector<std::string> seen;
  for (const auto& entry : parsed().framework_entries)
    seen.push_back(entry.framework + ' ' + entry.kind + ' ' + entry.method + entry.route + ' ' +
                   entry.handler);

  EXPECT_EQ(seen, (Names{"fastapi route GET/items/{id} read", "cli command  Store.drop",
                         "pytest test_class  TestStore", "pytest test  test_it"}));
}

TEST(PythonModuleTest, ASyntaxErrorAnywhereMeansNoModule) {
  for (const char* text :
       {"def x(:\n", "import os\nx = (1\n", "class A:\npass\n", "def f():\n  a\n b\n",
        "import os\nprint 'two'\n", "import os\n'unclosed\n", "import os\nx = 1 +\n",
        "import os\n1 = x\n", "def f(a=1, b): pass\n", "try:\n  pass\nx = 1\n",
        "import os\nif x:\n", "@d\nx = 1\n", "import os\nfor x y in z: pass\n"}) {
    EXPECT_FALSE(parse_python(text).has_value()) << text;
  }
}

TEST(PythonModuleTest, WhatDeclaresNothingIsNoModule) {
  EXPECT_FALSE(parse_python("x = 1\nprint(x)\n").has_value());
  EXPECT_FALSE(parse_python("").has_value());
}

TEST(PythonModuleTest, UnusualButValidTextIsAccepted) {
  for (const char* text :
       {"import a\nx: int = 1\ny = z = [*a, *b]\n", "import a\nprint(*a, **b, c=1)\n",
        "import a\nx = y if z else lambda: 0\n", "import a\nd = {**a, 'k': 1, 2: 3}\n",
        "import a\nif (n := 10) > 5: pass\n", "import a\nx[1:2, ::3] = y[...]\n",
        "import a\nasync def f():\n  async with a as b: await c\n",
        "import a\nglobal_ = not a in b and a is not b\n", "import a\nmatch = 1\nmatch(x)\n",
        "import a\ntry: pass\nexcept* E as e: pass\n", "import a\ntype X = int\n",
        "def f[T: int](x: T, /, y, *, z=1): ...\n", "import a; b = 1;\n",
        "\xEF\xBB\xBFimport a\r\nx = 1 \\\r\n  + 2\r\n", "import a\nx = '''a\n'b'\n'''\n",
        "import a\ndel x, y[0]\nassert x, 'm'\nraise E from e\n",
        "import a\nwith (open(b) as c, d as e): pass\n", "import a\nx = yield_ = 1_000.5e-3j\n"}) {
    EXPECT_TRUE(parse_python(text).has_value()) << text;
  }
}

TEST(PythonModuleTest, DeepNestingIsRefusedAndNotFollowed) {
  EXPECT_FALSE(parse_python("import a\nx = " + std::string(100000, '(')).has_value());
  EXPECT_FALSE(
      parse_python("import a\nx = " + std::string(5000, '(') + "1" + std::string(5000, ')') + "\n")
          .has_value());
  std::string lambdas = "import a\nx = ";
  for (int i = 0; i < 5000; ++i) lambdas += "lambda: ";
  EXPECT_FALSE(parse_python(lambdas + "0\n").has_value());
}

TEST(PythonModuleTest, AChainOfCallsIsNotRememberedBeyondReason) {
  std::string chain = "def f():\n    a";
  for (int i = 0; i < 20000; ++i) chain += ".b()";

  const auto module = parse_python(chain + "\n");

  ASSERT_TRUE(module.has_value());
  EXPECT_GT(module->call_sites.size(), 0U);
  EXPECT_LT(module->call_sites.size(), 100U);
}

TEST(ScriptModuleTest, DeclarationsAreFoundByTheirLines) {
  const auto module = parse_script(R"ts(import { a } from "./a";
import "side-effect";
export class Store<T> extends Base<T> {
}
export default abstract class Other {}
export interface Shape { x: number }
export type Name = string;
export async function open() {}
const close = async (x) => x;
const typed: Handler = (
  a,
) => a;
const number = (1 + 2);
// class Hidden {}
/* function hidden() {
function still() {} */
router.post('/items', create);
)ts");

  ASSERT_TRUE(module.has_value());
  EXPECT_EQ(module->classes, (Names{"Store", "Other"}));
  EXPECT_EQ(module->functions, (Names{"open", "close", "typed"}));
  EXPECT_EQ(module->import_details.size(), 2U);
  EXPECT_EQ(module->import_details[0].module, "./a");
  EXPECT_EQ(module->import_details[1].module, "side-effect");
  EXPECT_EQ(module->import_details[1].line_start, 1);
  ASSERT_EQ(module->inheritance.size(), 1U);
  EXPECT_EQ(module->inheritance[0].base, "Base");
  ASSERT_EQ(module->framework_entries.size(), 1U);
  EXPECT_EQ(module->framework_entries[0].method, "POST");
  EXPECT_EQ(module->framework_entries[0].route, "/items");
  EXPECT_EQ(module->interfaces.size(), 2U);
}

TEST(ScriptModuleTest, AnEmptyScriptIsNoModule) {
  EXPECT_FALSE(parse_script("let x = 1;\n").has_value());
}

}  // namespace
}  // namespace holdfast::text
