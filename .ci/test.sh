#!/usr/bin/env bash
# Lint, then all tests against the installed wheel. Both run in any case; the exit code says whether both were clean.
# Arguments go to pytest.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
export PATH="$root/.venv/bin:$PATH:$HOME/.cargo/bin"

lint=0
make --no-print-directory lint-only || lint=$?

# From another folder: the installed package is tested, not the one that lies in the current folder.
cd .venv/run || exit 1
# Whole programs take the longest and stand together: who is done first takes some of what the others have left.
pytest -c "$root/pyproject.toml" --rootdir "$root" -n "${JOBS:-auto}" --dist worksteal "$@" "$root/tests"
tests=$?
if [ "$lint" -ne 0 ]; then
    echo "lint found violations (above, before the tests)" >&2
    exit 1
fi
exit "$tests"
