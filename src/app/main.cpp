#include "app/command.h"

int main(int argc, char** argv) { return holdfast::app::run_command_line(argc, argv); }
