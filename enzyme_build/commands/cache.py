"""`enzyme-build cache`: what is kept of links that were done before."""

from __future__ import annotations

import click

from enzyme_build import settings as settings_of
from enzyme_build.cache import LinkCache


@click.command("cache")
@click.option("--clear", is_flag=True, help="Remove everything.")
def command(*, clear: bool) -> int:
    """Show how much is kept of links that were done before, where, and how often it helped; or remove it.

    The folder is that in ENZYME_CACHE_DIR, or the user's; ENZYME_CACHE_SIZE is the limit (2G), 0 keeps nothing.
    """
    cache = LinkCache(settings_of.from_environment())
    if clear:
        click.echo(f"{cache.clear()} links removed from {cache.folder}")
        return 0
    kept = cache.kept()
    click.echo(f"folder   {kept.folder}")
    click.echo(f"links    {kept.entries}, {_megabytes(kept.size)} of {_megabytes(kept.limit)}")
    click.echo(f"used     {kept.found} times; {kept.missed} links were new")
    return 0


def _megabytes(size: int) -> str:
    return f"{size / (1 << 20):,.1f} MiB"
