"""The command line `enzyme-build`: find the subcommand, run it, turn errors into messages and exit codes.

Subcommands are imported when they are called, so that no command pays for another's imports.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import click

from enzyme_build.errors import EnzymeBuildError, ToolError
from enzyme_build.toolchain import process

COMMANDS: Final = {
    "cache": "Show which links were done before, or forget them.",
    "check": "Compare a function's derivatives with finite differences.",
    "demo": "Differentiate an embedded example, step by step.",
    "explain": "Show what a derivative keeps on its tape, line by line, and why.",
    "export": "Compile units with derivatives for links that have no source of them.",
    "doctor": "Show which compilers and tools were found, and what is missing.",
    "gradient": "Build the derivative of a function as an object, archive or library.",
    "module": "Build a Python extension module with functions and their derivatives.",
}


class LazyGroup(click.Group):
    """A group whose commands live in `enzyme_build.commands.<name>`."""

    def list_commands(self, _context: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = import_module(f"enzyme_build.commands.{name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


def _version() -> str:
    try:
        return version("enzyme-build")
    except PackageNotFoundError:
        return "unknown (not installed)"


def _print_fortran_folder(context: click.Context) -> None:
    from enzyme_build import settings
    from enzyme_build.fortran.interface import folder_of_module
    from enzyme_build.toolchain.find import find_compiler
    from enzyme_build.toolchain.languages import Language

    tools = settings.from_environment().tools
    click.echo(folder_of_module(find_compiler(Language.FORTRAN, tools), tools))
    context.exit()


def _print_own_folder(context: click.Context, name: str) -> None:
    from pathlib import Path

    click.echo(Path(__file__).with_name(name))
    context.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(_version(), prog_name="enzyme-build")
@click.option(
    "--fortran-include",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _option, asked: _print_fortran_folder(context) if asked else None,
    help="Print the folder of the Fortran module 'enzyme', for compilers that enzyme-fc does not start.",
)
@click.option(
    "--cmake-dir",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _option, asked: _print_own_folder(context, "cmake") if asked else None,
    help="Print the folder for CMake's EnzymeBuild_DIR.",
)
@click.option(
    "--cargo-dir",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _option, asked: _print_own_folder(context, "cargo_helper") if asked else None,
    help="Print the folder of the Rust crate 'enzyme-build', for build scripts.",
)
def cli() -> None:
    """Differentiation as a build step: gradients of C, C++, Fortran and Rust from the ordinary build."""


def main(arguments: list[str] | None = None) -> None:
    """The console script; an `EnzymeBuildError` becomes its message and an exit code, anything else is a bug."""
    process.raise_interrupts()
    try:
        code = cli.main(args=arguments, prog_name="enzyme-build", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        sys.exit(130)
    except ToolError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.returncode or 1)
    except EnzymeBuildError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(1)
    except process.Interrupted as stop:
        sys.exit(128 + stop.signal)
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
