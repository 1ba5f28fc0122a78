"""Derived types and procedures that the random Fortran functions use, in groups.

A group is what stands in a module before its CONTAINS and behind it. A function's module has those groups of which its
statements name something, and those that they need. PREFIX makes names the function's own where they are global.
"""

from __future__ import annotations

import re

_GROUPS = """
abstract interface
  function curve(t) result(v)
    real(8), intent(in) :: t
    real(8) :: v
  end function
end interface
contains
function soft(t) result(v)
  real(8), intent(in) :: t
  real(8) :: v
  v = 0.4d0 * t * t / (1 + t * t)
end function
function wave(t) result(v)
  real(8), intent(in) :: t
  real(8) :: v
  v = sin(1.3d0 * t)
end function
function bump(t) result(v)
  real(8), intent(in) :: t
  real(8) :: v
  if (t > 0.7d0) then
    v = tanh(t)
    return
  end if
  v = 0.2d0 * t
end function
---
contains
elemental function soften(t, eps) result(v)
  real(8), intent(in) :: t
  real(8), intent(in), optional :: eps
  real(8) :: v
  v = t / (1 + abs(t))
  if (present(eps)) v = t / sqrt(1 + t**2 + eps**2)
end function
elemental subroutine settle(v)
  real(8), intent(inout) :: v
  v = v / (1 + abs(v))
end subroutine
---
type :: view
  real(8), pointer :: at(:) => null()
  real(8), pointer :: one => null()
end type
contains
function part_of(p, k) result(q)
  real(8), target, intent(in) :: p(:)
  integer, intent(in) :: k
  real(8), pointer :: q(:)
  q => p(k:k + 2)
end function
---
interface blend
  module procedure blend_real, blend_array
end interface
interface operator(.mix.)
  module procedure blend_real
end interface
contains
pure function blend_real(a, b) result(c)
  real(8), intent(in) :: a, b
  real(8) :: c
  c = 0.6d0 * sin(a) + 0.3d0 * b / (1 + b * b)
end function
pure function blend_array(a, b) result(c)
  real(8), intent(in) :: a(:), b(:)
  real(8) :: c(size(a))
  integer :: i
  do i = 1, size(a)
    c(i) = blend(a(i), b(size(b) + 1 - i))
  end do
end function
---
type :: point
  real(8) :: x = 0
  real(8) :: y = 0
  real(8) :: z = 0
contains
  procedure :: dot => point_dot
  procedure, private :: point_plus
  procedure, private :: point_times
  generic :: operator(+) => point_plus
  generic :: operator(*) => point_times
end type
interface assignment(=)
  module procedure point_from_array
end interface
contains
pure function point_dot(self, o) result(v)
  class(point), intent(in) :: self
  type(point), intent(in) :: o
  real(8) :: v
  v = self%x * o%x + self%y * o%y + self%z * o%z
end function
elemental function point_plus(self, o) result(p)
  class(point), intent(in) :: self
  type(point), intent(in) :: o
  type(point) :: p
  p = point(self%x + o%x, self%y + o%y, self%z + o%z)
end function
elemental function point_times(self, by) result(p)
  class(point), intent(in) :: self
  real(8), intent(in) :: by
  type(point) :: p
  p = point(self%x * by, self%y * by, self%z * by)
end function
subroutine point_from_array(p, a)
  type(point), intent(out) :: p
  real(8), intent(in) :: a(:)
  p%x = a(1)
  p%y = a(2)
  p%z = a(3)
end subroutine
---
type :: cell
  real(8), allocatable :: w(:)
  real(8) :: scale = 1
  integer :: tag = 0
end type
type :: row
  real(8) :: total = 0
  type(cell), allocatable :: cells(:)
  type(cell) :: spare
end type
contains
function cell_sum(c) result(v)
  type(cell), intent(in) :: c
  real(8) :: v
  v = 0
  if (allocated(c%w)) v = c%scale * sum(c%w) + 0.1d0 * c%tag
end function
subroutine cell_reset(c, a)
  type(cell), intent(out) :: c
  real(8), intent(in) :: a
  c%w = [a, 0.3d0, a * a]
  c%scale = c%scale - 0.2d0 * a
end subroutine
function cells_made(n, a) result(c)
  integer, intent(in) :: n
  real(8), intent(in) :: a
  type(cell), allocatable :: c(:)
  integer :: i
  allocate (c(n))
  do i = 1, n
    c(i)%w = [a * i, 0.4d0, a]
    c(i)%tag = i
  end do
end function
subroutine cell_grow(c, by)
  type(cell), intent(inout) :: c
  real(8), intent(in) :: by
  c%w = [c%w, by]
  c%tag = c%tag + 1
end subroutine
---
type, abstract :: shape_t
  real(8) :: size = 0.5d0
contains
  procedure(measured), deferred :: measure
  procedure :: grow => shape_grow
end type
abstract interface
  function measured(self, t) result(v)
    import shape_t
    class(shape_t), intent(in) :: self
    real(8), intent(in) :: t
    real(8) :: v
  end function
end interface
type, extends(shape_t) :: ball
  real(8) :: r = 0.3d0
contains
  procedure :: measure => ball_measure
end type
type, extends(ball) :: ring
  integer :: kind = 1
  real(8) :: hole = 0.1d0
contains
  procedure :: measure => ring_measure
  procedure :: grow => ring_grow
end type
type, extends(ring) :: path
  real(8), allocatable :: v(:)
contains
  procedure :: measure => path_measure
end type
type :: holder
  class(shape_t), allocatable :: s
end type
contains
subroutine shape_grow(self, by)
  class(shape_t), intent(inout) :: self
  real(8), intent(in) :: by
  self%size = tanh(self%size + 0.3d0 * by)
end subroutine
subroutine ring_grow(self, by)
  class(ring), intent(inout) :: self
  real(8), intent(in) :: by
  call self%ball%grow(by)
  self%hole = 0.5d0 * self%hole + sin(by)
  self%kind = self%kind + 1
end subroutine
function ball_measure(self, t) result(v)
  class(ball), intent(in) :: self
  real(8), intent(in) :: t
  real(8) :: v
  v = tanh(self%size * self%r + t)
end function
function ring_measure(self, t) result(v)
  class(ring), intent(in) :: self
  real(8), intent(in) :: t
  real(8) :: v
  v = ball_measure(self, t) - 0.3d0 * sin(self%hole) / self%kind
end function
function path_measure(self, t) result(v)
  class(path), intent(in) :: self
  real(8), intent(in) :: t
  real(8) :: v
  integer :: i
  v = self%size
  do i = 1, size(self%v)
    v = tanh(v * t + self%v(i))
  end do
end function
function shape_made(k, a, b) result(s)
  integer, intent(in) :: k
  real(8), intent(in) :: a, b
  class(shape_t), allocatable :: s
  select case (mod(k, 3))
  case (0)
    allocate (s, source=ball(a, b))
  case (1)
    allocate (ring :: s)
    s%size = a
  case default
    s = path(size=a, v=[b, a * b, 0.3d0])
  end select
end function
---
type :: node
  real(8) :: v = 0
  type(node), pointer :: next => null()
end type
contains
subroutine list_reverse(head)
  type(node), pointer, intent(inout) :: head
  type(node), pointer :: back, next
  nullify (back)
  do while (associated(head))
    next => head%next
    head%next => back
    back => head
    head => next
  end do
  head => back
end subroutine
subroutine list_free(head)
  type(node), pointer, intent(inout) :: head
  type(node), pointer :: next
  do while (associated(head))
    next => head%next
    deallocate (head)
    head => next
  end do
end subroutine
---
type :: tree
  type(tree), pointer :: left => null()
  real(8) :: v = 0
  integer :: count = 1
  type(tree), pointer :: right => null()
end type
contains
recursive subroutine tree_insert(t, v)
  type(tree), pointer, intent(inout) :: t
  real(8), intent(in) :: v
  if (.not. associated(t)) then
    allocate (t)
    t%v = v
  else if (v < t%v) then
    call tree_insert(t%left, v)
  else
    call tree_insert(t%right, v)
    t%count = t%count + 1
  end if
end subroutine
recursive function tree_total(t) result(v)
  type(tree), pointer, intent(in) :: t
  real(8) :: v
  v = 0.4d0
  if (associated(t)) v = t%v * tree_total(t%left) + 0.5d0 * sin(tree_total(t%right)) / t%count
end function
recursive subroutine tree_free(t)
  type(tree), pointer, intent(inout) :: t
  if (.not. associated(t)) return
  call tree_free(t%left)
  call tree_free(t%right)
  deallocate (t)
end subroutine
---
type :: twig
  real(8) :: v = 0
  type(twig), allocatable :: left, right
end type
contains
recursive subroutine twig_insert(t, v)
  type(twig), allocatable, intent(inout) :: t
  real(8), intent(in) :: v
  if (.not. allocated(t)) then
    allocate (t)
    t%v = v
  else if (v < t%v) then
    call twig_insert(t%left, v)
  else
    call twig_insert(t%right, v)
  end if
end subroutine
recursive function twig_total(t) result(v)
  type(twig), allocatable, intent(in) :: t
  real(8) :: v
  v = 0.4d0
  if (allocated(t)) v = t%v * twig_total(t%left) + 0.5d0 * sin(twig_total(t%right))
end function
---
type :: buffer
  real(8), pointer :: data(:) => null()
contains
  procedure :: fill => buffer_fill
  procedure, private :: buffer_copy
  generic :: assignment(=) => buffer_copy
  final :: buffer_end
end type
contains
subroutine buffer_fill(self, n, v)
  class(buffer), intent(inout) :: self
  integer, intent(in) :: n
  real(8), intent(in) :: v
  if (associated(self%data)) deallocate (self%data)
  allocate (self%data(n), source=v)
end subroutine
subroutine buffer_copy(self, other)
  class(buffer), intent(inout) :: self
  class(buffer), intent(in) :: other
  real(8), pointer :: fresh(:)
  allocate (fresh(size(other%data)))
  fresh = other%data
  if (associated(self%data)) deallocate (self%data)
  self%data => fresh
end subroutine
subroutine buffer_end(self)
  type(buffer), intent(inout) :: self
  if (associated(self%data)) deallocate (self%data)
end subroutine
---
type :: counted
  real(8), allocatable :: v(:)
  integer :: copies = 0
contains
  procedure, private :: counted_copy
  generic :: assignment(=) => counted_copy
end type
type :: couple
  type(counted) :: a, b
  real(8) :: weight = 0.5d0
end type
contains
subroutine counted_copy(self, other)
  class(counted), intent(inout) :: self
  class(counted), intent(in) :: other
  self%v = other%v
  self%copies = other%copies + 1
end subroutine
---
type :: stack
  real(8), allocatable :: items(:)
  integer :: top = 0
contains
  procedure :: push => stack_push
  procedure :: pop => stack_pop
end type
contains
subroutine stack_push(self, v)
  class(stack), intent(inout) :: self
  real(8), intent(in) :: v
  real(8), allocatable :: more(:)
  if (.not. allocated(self%items)) allocate (self%items(2))
  if (self%top == size(self%items)) then
    allocate (more(2 * self%top))
    more(1:self%top) = self%items
    call move_alloc(more, self%items)
  end if
  self%top = self%top + 1
  self%items(self%top) = v
end subroutine
function stack_pop(self) result(v)
  class(stack), intent(inout) :: self
  real(8) :: v
  v = 0.2d0
  if (self%top == 0) return
  v = self%items(self%top)
  self%top = self%top - 1
end function
---
type :: action
  real(8) :: k = 1
  procedure(curve), pointer, nopass :: f => null()
end type
contains
---
type :: record
  integer :: key = 0
  real(8) :: value = 0
  real(8) :: more(3) = 0
  complex(8) :: z = 0
  logical :: on = .false.
end type
contains
subroutine record_sort(r)
  type(record), intent(inout) :: r(:)
  type(record) :: t
  integer :: i, j
  do i = 2, size(r)
    t = r(i)
    j = i - 1
    do while (j > 0)
      if (r(j)%value <= t%value) exit
      r(j + 1) = r(j)
      j = j - 1
    end do
    r(j + 1) = t
  end do
end subroutine
---
contains
subroutine order_by(v, order)
  real(8), intent(in) :: v(:)
  integer, intent(out) :: order(:)
  integer :: i, j, at
  order = [(i, i = 1, size(v))]
  do i = 2, size(v)
    do j = i, 2, -1
      if (v(order(j - 1)) <= v(order(j))) exit
      at = order(j)
      order(j) = order(j - 1)
      order(j - 1) = at
    end do
  end do
end subroutine
---
real(8) :: kept(4) = 0, level = 0
real(8), allocatable :: store(:)
real(8) :: shared_one, shared_more(3)
common /PREFIX_common/ shared_one, shared_more
contains
"""
_CONTAINS = re.compile(r"^contains$", re.MULTILINE)


def _group(text: str) -> tuple[str, str, frozenset[str]]:
    """What stands before and behind CONTAINS, and the names that it defines."""
    before, behind = (part.strip() for part in _split(text))
    names = re.findall(r"^(?:type\b.*|interface|real\(8\)(?:, allocatable)?) ?:?:? (\w+)", before, re.MULTILINE)
    names += re.findall(r"(?:function|subroutine) (\w+)\(", f"{before}\n{behind}")
    names += re.findall(r"^interface (?:operator\(\.)?(\w+)", before, re.MULTILINE)
    names += ["shared_one", "shared_more", "level"] if "common" in before else []
    return before, behind, frozenset(names) - {"operator", "assignment"}


def _split(text: str) -> list[str]:
    """At the module's CONTAINS: the last line of that kind which no type owns."""
    at = [match for match in _CONTAINS.finditer(text) if not re.match(r"\n  ", text[match.end() : match.end() + 3])]
    return [text[: at[-1].start()], text[at[-1].end() :]]


GROUPS = [_group(text) for text in _GROUPS.split("---\n")]


def needed(text: str, prefix: str) -> tuple[str, str]:
    """What of it a module with this text needs, for both places."""
    chosen: set[int] = set()
    words = set(re.findall(r"[a-z]\w*", text))
    while more := {at for at, group in enumerate(GROUPS) if at not in chosen and group[2] & words}:
        chosen |= more
        for at in more:
            words |= set(re.findall(r"[a-z]\w*", f"{GROUPS[at][0]}\n{GROUPS[at][1]}"))
    parts = [GROUPS[at] for at in sorted(chosen)]
    before, behind = ("\n".join(part[place] for part in parts if part[place]) for place in (0, 1))
    return before.replace("PREFIX", prefix), behind
