#!/usr/bin/env bash
# Everything that `make demo` and `make test` need: system packages, a virtual environment in .venv, and the package
# itself, installed as a wheel built from this tree. Does only what is missing or out of date.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

VENV=.venv
OLDEST_PYTHON="(3, 11)"

say() { printf '==> %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

# --- System packages -------------------------------------------------------------------------------------------------

# A Python that can make virtual environments and compile extension modules.
usable_python() {
    "$1" - 2>/dev/null <<PY
import sys, sysconfig, pathlib
import ensurepip, venv
assert sys.version_info >= $OLDEST_PYTHON
assert pathlib.Path(sysconfig.get_path("include"), "Python.h").exists()
PY
}

find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3 python3.11 python3.12 python3.13 python3.14 /usr/bin/python3 \
        "$HOME"/.pyenv/versions/3.1[1-9]*/bin/python3; do
        if [ -n "$candidate" ] && has "$candidate" && usable_python "$candidate"; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

missing_packages() {
    local crate version
    has clang-22 || echo clang-22
    has clang++-22 || echo clang-22
    has ld.lld-22 || echo lld-22
    has llvm-as-22 || echo llvm-22
    has gcc || echo gcc
    has g++ || echo g++
    [ -e /usr/include/stdlib.h ] || echo libc6-dev
    has ar || echo binutils
    find_python >/dev/null || echo python3 python3-venv python3-dev
    if [ "${1:-}" = sanitize ]; then
        has valgrind || echo valgrind
        [ -n "$(compgen -G '/usr/lib/llvm-22/lib/clang/22/lib/*/*asan*')" ] || echo libclang-rt-22-dev
    fi
    if [ "${1:-}" = test ] || [ "${1:-}" = sanitize ]; then
        has flang-22 || echo flang-22
        [ -e /usr/lib/llvm-22/lib/libomp.so ] || echo libomp-22-dev
        [ -e /usr/lib/llvm-22/include/c++/v1/algorithm ] || echo libc++-22-dev libc++abi-22-dev
        has ccache || echo ccache
        for version in 14 16 19; do # whose bitcode is read, too
            has "clang-$version" || echo "clang-$version"
        done
        has ldc2 || echo ldc
        has faust || echo faust
        has ghdl-llvm || echo ghdl-llvm
        has gfortran || echo gfortran
        [ -d /usr/include/eigen3 ] || echo libeigen3-dev
        [ -n "$(compgen -G '/usr/lib/*/liblapack.so')" ] || echo liblapack-dev
        has dpkg-source || echo dpkg-dev
        [ -x /usr/bin/cmake ] || echo cmake # an older one than PyPI's
        for crate in itertools num-complex num-traits smallvec; do
            [ -n "$(compgen -G "/usr/share/cargo/registry/$crate-[0-9]*")" ] || echo "librust-$crate-dev"
        done
    fi
}

# True when what is missing can be done without: ziglang from PyPI is a complete clang, and tests skip by name.
can_do_without() {
    [ -z "${CI:-}" ] && find_python >/dev/null
}

install_packages() {
    local wanted package missing="" sudo=()
    wanted=$(missing_packages "$1" | tr ' ' '\n' | sort -u | tr '\n' ' ')
    [ -n "${wanted// /}" ] || return 0
    if [ "$(id -u)" -ne 0 ] && has sudo && sudo -n true 2>/dev/null; then
        sudo=(sudo -n)
    fi
    if has apt-get && { [ "$(id -u)" -eq 0 ] || [ ${#sudo[@]} -gt 0 ]; }; then
        say "installing system packages: $wanted"
        export DEBIAN_FRONTEND=noninteractive
        "${sudo[@]}" apt-get update -qq || say "apt-get update had errors; trying with the lists that are there"
        # shellcheck disable=SC2086 - one word for each package
        if "${sudo[@]}" apt-get install -y -qq --no-install-recommends $wanted >"$VENV.apt.log" 2>&1; then
            rm -f "$VENV.apt.log"
            return 0
        fi
        # One that this system does not have must not keep the others away.
        for package in $wanted; do
            "${sudo[@]}" apt-get install -y -qq --no-install-recommends "$package" >>"$VENV.apt.log" 2>&1 || missing+=" $package"
        done
        [ -n "$missing" ] || return 0
        can_do_without || { tail -n 20 "$VENV.apt.log" >&2; fail "apt-get could not install$missing (log: $VENV.apt.log)"; }
        say "apt-get could not install$missing (log: $VENV.apt.log)"
    else
        can_do_without || fail "missing; install by hand: sudo apt-get install $wanted(or what your system calls them)"
        say "missing: sudo apt-get install $wanted(or what your system calls them)"
    fi
    say "going on without: the C and C++ compiler is then ziglang from PyPI, and some tests are skipped"
}

# --- Python environment ----------------------------------------------------------------------------------------------

checksum() { find "$@" -type f ! -path '*/__pycache__/*' -print0 | sort -z | xargs -0 sha256sum | sha256sum; }

make_environment() {
    local python
    if [ -x $VENV/bin/python ] && usable_python $VENV/bin/python; then
        return
    fi
    python=$(find_python) || fail "no Python 3.11 or newer with venv and headers was found (set PYTHON=…)"
    say "making the virtual environment $VENV with $("$python" --version) ($python)"
    rm -rf $VENV
    "$python" -m venv $VENV
    printf '*\n' >$VENV/.gitignore
}

pip() { $VENV/bin/python -m pip --disable-pip-version-check -qq "$@"; }

# The wheel is built from a copy, so that nothing but the sources gets in and nothing is left behind.
build_wheel() {
    local copy
    copy=$(mktemp -d)
    cp -r enzyme_build cargo_helper cmake pyproject.toml README.md LICENSE "$copy"
    find "$copy" -name __pycache__ -prune -exec rm -rf {} +
    rm -rf $VENV/wheel
    pip wheel --no-deps --no-build-isolation --wheel-dir $VENV/wheel "$copy"
    rm -rf "$copy"
}

install_python_packages() {
    local requirements sources
    requirements=$(checksum pyproject.toml .ci/setup.sh)
    sources=$(checksum enzyme_build cargo_helper cmake pyproject.toml README.md LICENSE)
    if [ "$(cat $VENV/.requirements 2>/dev/null)" != "$requirements" ]; then
        say "installing Python packages (a minute or two)"
        pip install --upgrade "pip>=25.1" "setuptools>=77" wheel
        build_wheel
        pip install --force-reinstall --no-deps $VENV/wheel/*.whl
        pip install --group dev "$(echo $VENV/wheel/*.whl)[demo,zig]"
        printf '%s\n' "$requirements" >$VENV/.requirements
        printf '%s\n' "$sources" >$VENV/.sources
    elif [ "$(cat $VENV/.sources 2>/dev/null)" != "$sources" ]; then
        say "building and installing the wheel of this tree"
        build_wheel
        pip install --no-deps --force-reinstall $VENV/wheel/*.whl
        printf '%s\n' "$sources" >$VENV/.sources
    fi
}

note_rust() {
    has rustc || [ -x "$HOME/.cargo/bin/rustc" ] || say "no rustc: tests that read Rust's bitcode need it (https://rustup.rs)"
}

install_packages "${1:-demo}"
[ "${1:-demo}" != test ] || note_rust
make_environment
install_python_packages
mkdir -p $VENV/run
