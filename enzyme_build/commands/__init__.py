"""The subcommands of `enzyme-build`: each file has one click command named `command`."""
