"""Objects that stay apart although one pointer may lead to all of them."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.fields import fields
from enzyme_build.analysis.objects import objects
from enzyme_build.ir.types import DOUBLE

from .models import Model

TABLE = """
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%table = type {{ ptr, ptr, float, [1 x ptr] }}
declare ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @unknown(ptr)

define double @f(double %x, i64 %i) {{
  %table = alloca %table
  %first = getelementptr i8, ptr %table, i64 8
  %factor = getelementptr i8, ptr %table, i64 16
  %single = getelementptr i8, ptr %table, i64 24
  store float 1.0, ptr %factor
  store ptr %single, ptr %table
  %buckets = load ptr, ptr %table
  %bucket = getelementptr inbounds nuw ptr, ptr %buckets, i64 %i
  store ptr %first, ptr %bucket
  %node = call ptr @malloc(i64 16)
  %value = getelementptr i8, ptr %node, i64 8
  store double %x, ptr %value
  store ptr %node, ptr %first
  store ptr null, ptr %node
  %previous = load ptr, ptr %bucket
  %found = load ptr, ptr %previous
  %other = getelementptr i8, ptr %found, i64 8
  %copy = alloca double
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %other, i64 8, i1 false)
  {more}
  %result = load double, ptr %copy
  ret double %result
}}
"""


def test_nodes_are_not_the_table_whose_member_leads_to_them() -> None:
    model = Model(TABLE.format(more=""))
    assert model.same_region("table", "node")
    places = objects(model.memory).places(model["other"])
    assert places is not None
    assert [(place.region.origins, place.offset, place.stride) for place in places] == [({model["node"]}, 8, 0)]
    assert fields(model.memory.layout, places, 8).numbers == ((0, DOUBLE),)


def test_an_index_does_not_lead_out_of_an_object() -> None:
    model = Model(TABLE.format(more=""))
    places = objects(model.memory).places(model["bucket"], 8)
    assert places is not None
    assert [(place.offset, place.stride) for place in places] == [(24, 0)]


def test_what_unknown_code_was_given_leads_anywhere() -> None:
    model = Model(TABLE.format(more="call void @unknown(ptr %table)"))
    assert objects(model.memory).places(model["other"]) is None


def test_nothing_is_told_where_bytes_are_stored_nobody_knows_where() -> None:
    lost = "%anywhere = inttoptr i64 %i to ptr\n  store double %x, ptr %anywhere"
    model = Model(TABLE.format(more=lost))
    assert objects(model.memory).places(model["other"]) is None


LIST = """
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)
declare void @_ZNSt8__detail15_List_node_base7_M_hookEPS0_(ptr, ptr)

define double @f(double %x) {
  %list = alloca { ptr, ptr, i64 }
  %size = getelementptr i8, ptr %list, i64 16
  store ptr %list, ptr %list
  store i64 1, ptr %size
  %node = call ptr @malloc(i64 32)
  %value = getelementptr i8, ptr %node, i64 24
  store double %x, ptr %value
  call void @_ZNSt8__detail15_List_node_base7_M_hookEPS0_(ptr %node, ptr %list)
  %first = load ptr, ptr %list
  %number = getelementptr i8, ptr %first, i64 24
  %result = load double, ptr %number
  ret double %result
}
"""


def test_nodes_that_a_library_links_are_found_by_its_links() -> None:
    model = Model(LIST)
    assert model.same_region("number", "value")
    places = objects(model.memory).places(model["number"], 8)
    assert places is not None
    assert [(place.region.origins, place.offset) for place in places] == [({model["node"]}, 24)]


HASH_TABLE = """
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%chain = type {{ [56 x i8], ptr, ptr }}
declare ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)

define double @f(double %x, i64 %i) {{
  %chain = alloca %chain
  %first = getelementptr i8, ptr %chain, i64 16
  %single = getelementptr i8, ptr %chain, i64 48
  %behind = getelementptr i8, ptr %chain, i64 56
  %other = call ptr @malloc(i64 8)
  store double %x, ptr %other
  store ptr %other, ptr %behind
  store ptr %single, ptr %chain{tag}
  %buckets = load ptr, ptr %chain{tag}
  %bucket = getelementptr inbounds nuw ptr, ptr %buckets, i64 %i
  %node = call ptr @malloc(i64 16)
  store ptr %node, ptr %bucket
  %found = load ptr, ptr %behind
  %alone = load ptr, ptr %single
  %result = load double, ptr %found
  ret double %result
}}
!0 = !{{!1, !2, i64 0}}
!1 = !{{!"_ZTSSt10_HashtableIiSt4pairIKidE", !2, i64 0, !2, i64 48}}
!2 = !{{!"any pointer", !3, i64 0}}
!3 = !{{!"omnipotent char", !4, i64 0}}
!4 = !{{!"Simple C++ TBAA"}}
"""


@pytest.mark.parametrize(("tag", "found"), [(", !tbaa !0", ["other"]), ("", ["node", "other"])])
def test_single_bucket_of_a_hash_table_is_no_array(tag: str, found: list[str]) -> None:
    model = Model(HASH_TABLE.format(tag=tag))
    places = objects(model.memory).places(model["found"]) or []
    assert {origin for place in places for origin in place.region.origins} == {model[name] for name in found}
    alone = objects(model.memory).places(model["alone"]) or []
    assert [place.region.origins for place in alone] == [{model["node"]}]


def test_single_bucket_holds_what_is_stored_by_its_address_in_the_table() -> None:
    text = HASH_TABLE.format(tag=", !tbaa !0").replace(
        "%alone = load ptr, ptr %single", "%alone = load ptr, ptr %bucket"
    )
    text = text.replace("  store ptr %node, ptr %bucket", "  %whole = load ptr, ptr %at\n  store ptr %node, ptr %whole")
    text = text.replace(
        "%node = call",
        "%at = alloca ptr\n  %far = getelementptr i8, ptr %chain, i64 8\n  "
        "%next = getelementptr i64, ptr %far, i64 %i\n  store ptr %next, ptr %at\n  %node = call",
    )
    model = Model(text)
    alone = objects(model.memory).places(model["alone"]) or []
    assert [place.region.origins for place in alone] == [{model["node"]}]


def test_bucket_of_a_table_that_callers_pass_holds_what_callers_put_there() -> None:
    text = HASH_TABLE.format(tag=", !tbaa !0").replace(
        "%chain = alloca %chain", "%far = getelementptr i8, ptr %chain, i64 0"
    )
    model = Model(text.replace("define double @f(double %x,", "define double @f(ptr %chain, double %x,"))
    alone = objects(model.memory).places(model["alone"]) or []
    assert any(place.region.external for place in alone)
