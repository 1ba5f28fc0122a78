"""Arguments that are only read, by functions that hand them on to other modules."""

from __future__ import annotations

import pytest

from enzyme_build.bindings.readings import only_reads
from enzyme_build.ir.parser import parse_module

TOP = """
declare double @square(ptr)
declare void @clear(ptr)
declare void @unknown(ptr)
declare double @hidden(ptr readonly captures(none))
declare double @kept(ptr readonly)
declare double @hidden_too(ptr)
declare double @turns(ptr, i32)
define double @loads(ptr %x, i32 %n) {
start:
  %some = icmp sgt i32 %n, 0
  %at = getelementptr double, ptr %x, i32 %n
  %one = select i1 %some, ptr %at, ptr %x
  %first = load double, ptr %one
  %second = call double @square(ptr %one)
  %third = call double @hidden(ptr %x)
  %sum = fadd double %first, %second
  %all = fadd double %sum, %third
  ret double %all
}
define double @recursive(ptr %x, i32 %n) {
  %r = call double @turns(ptr %x, i32 %n)
  ret double %r
}
define void @stores(ptr %x) {
  %at = getelementptr double, ptr %x, i32 3
  store double 0.0, ptr %at
  ret void
}
define void @stores_elsewhere(ptr %x) {
  call void @clear(ptr %x)
  ret void
}
define void @twice(ptr %x, ptr %y) {
  call void @clear(ptr %x)
  call void @clear(ptr %y)
  ret void
}
define void @keeps(ptr %x, ptr %place) {
  store ptr %x, ptr %place
  ret void
}
define ptr @returns(ptr %x) {
  ret ptr %x
}
define double @keeps_elsewhere(ptr %x) {
  %r = call double @kept(ptr %x)
  ret double %r
}
define void @asks_who_knows(ptr %x) {
  call void @unknown(ptr %x)
  ret void
}
define double @of_another_file(ptr %x) {
  %r = call double @hidden_too(ptr %x)
  ret double %r
}
define void @by_pointer(ptr %x, ptr %f) {
  call void %f(ptr %x)
  ret void
}
"""
OTHER = """
declare double @recursive(ptr, i32)
define double @square(ptr %x) {
  %v = load double, ptr %x
  ret double %v
}
define void @clear(ptr %x) {
  store double 0.0, ptr %x
  ret void
}
define internal double @hidden_too(ptr %x) {
  %v = load double, ptr %x
  ret double %v
}
define double @turns(ptr %x, i32 %n) {
  %less = sub i32 %n, 1
  %r = call double @recursive(ptr %x, i32 %less)
  %v = load double, ptr %x
  %s = fadd double %r, %v
  ret double %s
}
"""
ONLY_READ = {"loads", "recursive"}


@pytest.mark.parametrize(
    "name",
    [
        *sorted(ONLY_READ), "stores", "stores_elsewhere", "twice", "keeps", "returns", "keeps_elsewhere",
        "asks_who_knows", "of_another_file", "by_pointer",
    ],
)  # fmt: skip
def test_arguments_that_are_only_read(name):
    modules = [parse_module(TOP), parse_module(OTHER)]
    assert only_reads(modules, modules[0], modules[0].function(name), 0) == (name in ONLY_READ)


def test_without_the_other_module_nothing_is_known():
    modules = [parse_module(TOP)]
    assert not only_reads(modules, modules[0], modules[0].function("loads"), 0)
