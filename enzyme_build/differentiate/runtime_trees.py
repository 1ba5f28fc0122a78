"""Colours of shadow trees, as IR text.

Functions of libstdc++ that link the nodes of a tree are called on the shadow tree, too, and go by the nodes' colours.
Those of new nodes they set themselves; but code in headers copies trees node by node, and in reverse mode integers are
not stored in shadows. So the colours that a function will look at are copied in front of it.

A node is {colour (0: red), parent, left, right}; the head of a tree and its root are each other's parents.
"""

from __future__ import annotations

from typing import Final

TREES: Final = {
    # Of a node and what is so many levels below it.
    "enzyme_build.tree_colours": """
define internal void @enzyme_build.tree_colours(ptr %node, ptr %shadow, i64 %levels) noinline nounwind {
entry:
  %colour = load i32, ptr %node, align 8
  store i32 %colour, ptr %shadow, align 8
  %last = icmp eq i64 %levels, 0
  br i1 %last, label %done, label %begin

begin:
  %below = sub i64 %levels, 1
  br label %side

side:
  %at = phi i64 [ 16, %begin ], [ 24, %next ]
  %p = getelementptr i8, ptr %node, i64 %at
  %child = load ptr, ptr %p, align 8
  %none = icmp eq ptr %child, null
  br i1 %none, label %next, label %go

go:
  %q = getelementptr i8, ptr %shadow, i64 %at
  %child.shadow = load ptr, ptr %q, align 8
  call void @enzyme_build.tree_colours(ptr %child, ptr %child.shadow, i64 %below)
  br label %next

next:
  %both = icmp eq i64 %at, 24
  br i1 %both, label %done, label %side

done:
  ret void
}
""",
    # From a node up to the root, each with so many levels below it; if asked for only up to where a new node below
    # changes nothing, which is a black node that has no red one below it on the way.
    "enzyme_build.tree_climb": """
declare void @enzyme_build.tree_colours(ptr, ptr, i64)
define internal void @enzyme_build.tree_climb(ptr %node, ptr %shadow, i64 %levels, i1 %stops) noinline nounwind {
entry:
  br label %step

step:
  %n = phi ptr [ %node, %entry ], [ %up, %on ]
  %s = phi ptr [ %shadow, %entry ], [ %up.shadow, %on ]
  %below = phi i32 [ 1, %entry ], [ %colour, %on ]
  call void @enzyme_build.tree_colours(ptr %n, ptr %s, i64 %levels)
  %colour = load i32, ptr %n, align 8
  %black = icmp ne i32 %colour, 0
  %quiet = icmp ne i32 %below, 0
  %unchanged = and i1 %black, %quiet
  %end = and i1 %unchanged, %stops
  br i1 %end, label %done, label %more

more:
  %p = getelementptr i8, ptr %n, i64 8
  %up = load ptr, ptr %p, align 8
  %empty = icmp eq ptr %up, null
  br i1 %empty, label %done, label %look

look:
  %pp = getelementptr i8, ptr %up, i64 8
  %back = load ptr, ptr %pp, align 8
  %head = icmp eq ptr %back, %n
  br i1 %head, label %done, label %on

on:
  %q = getelementptr i8, ptr %s, i64 8
  %up.shadow = load ptr, ptr %q, align 8
  br label %step

done:
  ret void
}
""",
    # In front of a new node's linking below `node`: its parents and their other children.
    "enzyme_build.tree_grows": """
declare void @enzyme_build.tree_climb(ptr, ptr, i64, i1)
define internal void @enzyme_build.tree_grows(ptr %node, ptr %shadow) nounwind {
entry:
  call void @enzyme_build.tree_climb(ptr %node, ptr %shadow, i64 1, i1 true)
  ret void
}
""",
    # In front of the unlinking of `node`: the way from what comes to its place, the next node if it has two children,
    # up to the root, and two levels beside that way.
    "enzyme_build.tree_shrinks": """
declare void @enzyme_build.tree_climb(ptr, ptr, i64, i1)
define internal void @enzyme_build.tree_shrinks(ptr %node, ptr %shadow) nounwind {
entry:
  %pl = getelementptr i8, ptr %node, i64 16
  %left = load ptr, ptr %pl, align 8
  %pr = getelementptr i8, ptr %node, i64 24
  %right = load ptr, ptr %pr, align 8
  %no.left = icmp eq ptr %left, null
  %no.right = icmp eq ptr %right, null
  %one = or i1 %no.left, %no.right
  br i1 %one, label %step, label %next

next:
  %qr = getelementptr i8, ptr %shadow, i64 24
  %right.shadow = load ptr, ptr %qr, align 8
  br label %down

down:
  %d = phi ptr [ %right, %next ], [ %lower, %deeper ]
  %e = phi ptr [ %right.shadow, %next ], [ %lower.shadow, %deeper ]
  %dl = getelementptr i8, ptr %d, i64 16
  %lower = load ptr, ptr %dl, align 8
  %leftmost = icmp eq ptr %lower, null
  br i1 %leftmost, label %step, label %deeper

deeper:
  %el = getelementptr i8, ptr %e, i64 16
  %lower.shadow = load ptr, ptr %el, align 8
  br label %down

step:
  %n = phi ptr [ %node, %entry ], [ %d, %down ]
  %s = phi ptr [ %shadow, %entry ], [ %e, %down ]
  call void @enzyme_build.tree_climb(ptr %n, ptr %s, i64 2, i1 false)
  ret void
}
""",
}
