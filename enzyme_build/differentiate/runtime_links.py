"""Links of shadow structures whose nodes were kept from before a derivative call, as IR text (see `runtime_kept`).

Functions of libstdc++ that change the links of a tree or list are called on the shadow structure, too. Its nodes that
were there before the call are zero, so the links that such a function will follow are set first, and the colours of
nodes copied; `find` (pointer, null) gives the shadow of a kept node.

A function on a tree follows the way from its node to the root, or down to the next or previous node, and looks at
nodes two levels beside that way; one on a list only at the neighbours.
"""

from __future__ import annotations

from typing import Final

LINKS: Final = {
    "enzyme_build.kept_link": """
define internal void @enzyme_build.kept_link(ptr %node, ptr %shadow, i64 %at, ptr %find) noinline nounwind {
entry:
  %p = getelementptr i8, ptr %node, i64 %at
  %q = getelementptr i8, ptr %shadow, i64 %at
  %link = load ptr, ptr %p, align 8
  %known = load ptr, ptr %q, align 8
  %new = icmp eq ptr %known, null
  %leads = icmp ne ptr %link, null
  %missing = and i1 %new, %leads
  br i1 %missing, label %set, label %done

set:
  %found = call ptr %find(ptr %link, ptr null)
  store ptr %found, ptr %q, align 8
  br label %done

done:
  ret void
}
""",
    # A node of a tree is {colour, parent, left, right}. `levels` below it are set, too.
    "enzyme_build.kept_node": """
declare void @enzyme_build.kept_link(ptr, ptr, i64, ptr)
define internal void @enzyme_build.kept_node(ptr %node, ptr %shadow, i64 %levels, ptr %find) noinline nounwind {
entry:
  %colour = load i32, ptr %node, align 8
  store i32 %colour, ptr %shadow, align 8
  call void @enzyme_build.kept_link(ptr %node, ptr %shadow, i64 8, ptr %find)
  call void @enzyme_build.kept_link(ptr %node, ptr %shadow, i64 16, ptr %find)
  call void @enzyme_build.kept_link(ptr %node, ptr %shadow, i64 24, ptr %find)
  %last = icmp eq i64 %levels, 0
  br i1 %last, label %done, label %left

left:
  %below = sub i64 %levels, 1
  %pl = getelementptr i8, ptr %node, i64 16
  %l = load ptr, ptr %pl, align 8
  %no.left = icmp eq ptr %l, null
  br i1 %no.left, label %right, label %go.left

go.left:
  %ql = getelementptr i8, ptr %shadow, i64 16
  %l.shadow = load ptr, ptr %ql, align 8
  call void @enzyme_build.kept_node(ptr %l, ptr %l.shadow, i64 %below, ptr %find)
  br label %right

right:
  %pr = getelementptr i8, ptr %node, i64 24
  %r = load ptr, ptr %pr, align 8
  %no.right = icmp eq ptr %r, null
  br i1 %no.right, label %done, label %go.right

go.right:
  %qr = getelementptr i8, ptr %shadow, i64 24
  %r.shadow = load ptr, ptr %qr, align 8
  call void @enzyme_build.kept_node(ptr %r, ptr %r.shadow, i64 %below, ptr %find)
  br label %done

done:
  ret void
}
""",
    # One step along the link `first`, then along `then` as far as it leads. The head of an empty tree links to itself.
    "enzyme_build.kept_path": """
declare void @enzyme_build.kept_node(ptr, ptr, i64, ptr)
define internal void @enzyme_build.kept_path(ptr %node, ptr %shadow, i64 %first, i64 %then, ptr %find) noinline nounwind {
entry:
  br label %step

step:
  %n = phi ptr [ %node, %entry ], [ %next, %go ]
  %s = phi ptr [ %shadow, %entry ], [ %next.shadow, %go ]
  %at = phi i64 [ %first, %entry ], [ %then, %go ]
  %p = getelementptr i8, ptr %n, i64 %at
  %next = load ptr, ptr %p, align 8
  %leaf = icmp eq ptr %next, null
  %empty = icmp eq ptr %next, %node
  %end = or i1 %leaf, %empty
  br i1 %end, label %done, label %go

go:
  %q = getelementptr i8, ptr %s, i64 %at
  %next.shadow = load ptr, ptr %q, align 8
  call void @enzyme_build.kept_node(ptr %next, ptr %next.shadow, i64 2, ptr %find)
  br label %step

done:
  ret void
}
""",  # noqa: E501
    # The head of a tree and its root are each other's parents.
    "enzyme_build.kept_tree": """
declare void @enzyme_build.kept_node(ptr, ptr, i64, ptr)
declare void @enzyme_build.kept_path(ptr, ptr, i64, i64, ptr)
define internal void @enzyme_build.kept_tree(ptr %node, ptr %shadow, ptr %find) noinline nounwind {
entry:
  call void @enzyme_build.kept_node(ptr %node, ptr %shadow, i64 2, ptr %find)
  call void @enzyme_build.kept_path(ptr %node, ptr %shadow, i64 24, i64 16, ptr %find)
  call void @enzyme_build.kept_path(ptr %node, ptr %shadow, i64 16, i64 24, ptr %find)
  br label %step

step:
  %n = phi ptr [ %node, %entry ], [ %up, %on ]
  %s = phi ptr [ %shadow, %entry ], [ %up.shadow, %on ]
  %p = getelementptr i8, ptr %n, i64 8
  %up = load ptr, ptr %p, align 8
  %end = icmp eq ptr %up, null
  br i1 %end, label %done, label %on

on:
  %q = getelementptr i8, ptr %s, i64 8
  %up.shadow = load ptr, ptr %q, align 8
  call void @enzyme_build.kept_node(ptr %up, ptr %up.shadow, i64 2, ptr %find)
  %pp = getelementptr i8, ptr %up, i64 8
  %back = load ptr, ptr %pp, align 8
  %both = icmp eq ptr %back, %n
  br i1 %both, label %done, label %step

done:
  ret void
}
""",
    # A node of a list is {next, previous}.
    "enzyme_build.kept_list": """
declare void @enzyme_build.kept_link(ptr, ptr, i64, ptr)
define internal void @enzyme_build.kept_list(ptr %node, ptr %shadow, ptr %find) noinline nounwind {
entry:
  call void @enzyme_build.kept_link(ptr %node, ptr %shadow, i64 0, ptr %find)
  call void @enzyme_build.kept_link(ptr %node, ptr %shadow, i64 8, ptr %find)
  ret void
}
""",
    "enzyme_build.kept_whole_list": """
declare void @enzyme_build.kept_list(ptr, ptr, ptr)
define internal void @enzyme_build.kept_whole_list(ptr %head, ptr %shadow, ptr %find) noinline nounwind {
entry:
  br label %step

step:
  %n = phi ptr [ %head, %entry ], [ %next, %step ]
  %s = phi ptr [ %shadow, %entry ], [ %next.shadow, %step ]
  call void @enzyme_build.kept_list(ptr %n, ptr %s, ptr %find)
  %next = load ptr, ptr %n, align 8
  %next.shadow = load ptr, ptr %s, align 8
  %end = icmp eq ptr %next, %head
  br i1 %end, label %done, label %step

done:
  ret void
}
""",
    "enzyme_build.kept_doubtful": """
@enzyme_build.kept_unknown = private unnamed_addr constant [93 x i8] c"enzyme_build: a tree or list that a global variable kept from before this call has no shadow\\0A"
declare void @enzyme_build.unknown_target(ptr, i64)
define internal ptr @enzyme_build.kept_doubtful(ptr %p, ptr %shadow) noinline nounwind {
entry:
  call void @enzyme_build.unknown_target(ptr @enzyme_build.kept_unknown, i64 93)
  unreachable
}
""",  # noqa: E501
}
