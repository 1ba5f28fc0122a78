"""Fortran statements with objects of derived types, as texts like those of `fortran_statements`."""

from __future__ import annotations

OBJECTS = """
type(point) :: p@(3), total@
p@ = [point($V, $V, 0.2), point(0.4, $V, $V), point($V, 0.1, $V)]
?5 p@(2) = $E
?5 p@%x = tanh(p@%x * $V + p@%z)
?4 p@ = p@(3:1:-1)
+array p@(:)%x 3
+scalar p@(2)%z
do i@ = 1, 3
p@(i@) = p@(i@) + p@(mod(i@, 3) + 1) * (0.3 * $V)
BLOCK
end do
total@ = p@(1) + p@(2) * 0.5
$P = sin(total@%dot(p@(3)))
---
type(point), allocatable :: p@(:)
allocate (p@($C + 3), source=point($V, 0.3, $V))
p@(2) = point(z=$V, x=$V, y=0.1)
?4 p@ = [p@, point($V, $V, 0.3)]
?4 p@ = p@ + p@(size(p@):1:-1) * $V
+array p@(:)%y 3+
BLOCK
$P = tanh(sum(p@%x * p@%y) * 0.2 + p@(1)%dot(p@(3)))
---
type(cell) :: c@, d@
«c@%w = $E|allocate (c@%w(n), source=$V)|c@ = cell([$V, 0.3, $V], $V, 2)»
c@%scale = $V
d@ = c@
?4 d@%w = [d@%w, $V]
?4 call cell_grow(c@, $V)
?3 call cell_reset(d@, $V)
?3 call move_alloc(d@%w, c@%w)
?3 if (.not. allocated(d@%w)) d@ = c@
if (.not. allocated(d@%w)) d@%w = $E
+vector c@%w
+array d@%w 3+
+scalar c@%scale
BLOCK
$P = tanh(cell_sum(c@) * 0.3 - 0.4 * cell_sum(d@))
---
type(cell), allocatable :: cells@(:), more@(:)
«allocate (cells@($C + 3))|cells@ = cells_made($C + 3, $V)»
do i@ = 1, size(cells@)
cells@(i@)%w = [$V, 0.1 * i@, $V]
cells@(i@)%scale = $V
end do
?4 cells@ = [cells@, cell([$V, $V, 0.2], $V, 1)]
?4 cells@(1) = cells@(3)
?3 cells@ = cells@(size(cells@):1:-1)
?4 cells@%scale = tanh(cells@%scale + $V)
?4 more@ = cells@
?3 call move_alloc(cells@, more@)
if (.not. allocated(cells@)) cells@ = more@
?4 if (allocated(more@)) cells@(2)%w = more@(1)%w * $V
+array cells@(:)%scale 3+
+array cells@(2)%w 3
+vector cells@(3)%w
BLOCK
do i@ = 1, size(cells@)
$P = 0.2 * sum(cells@(i@)%w) * cells@(i@)%scale
end do
---
type(row) :: row@, other@
allocate (row@%cells(3))
row@%total = $V
do i@ = 1, 3
row@%cells(i@) = cell([$V, $V, 0.1 * i@], $V, i@)
end do
other@ = row@
?4 row@%spare = other@%cells(2)
?4 row@%cells(1)%w(2) = $X
?3 row@%cells = other@%cells(3:1:-1)
?3 deallocate (other@%cells)
?3 other@%spare = row@%cells($K)
+array row@%cells(:)%scale 3
+array row@%cells(1)%w 3
+scalar row@%total
BLOCK
row@%total = row@%total + cell_sum(other@%spare)
$P = tanh(row@%total + cell_sum(row@%cells(2)) - cell_sum(row@%spare))
---
type(record) :: r@(4), one@
r@ = record(2, $V, $E, cmplx($V, 0.3, 8), .true.)
r@(2)%more = sin($E)
r@(3)%value = $V
r@(1) = record(key=3, value=$V)
?4 r@%value = r@(4:1:-1)%value * $V
?4 call record_sort(r@)
?4 one@ = r@($K)
?4 r@(2:4) = r@(1:3)
?3 where (r@%value > $V) r@%key = 5
+array r@(:)%value 4
+array r@(2)%more 3
+array r@(:)%more($K) 4
BLOCK
$P = tanh(sum(r@%value * r@%key) * 0.1 + sum(r@(3)%more) * one@%value + abs(r@(4)%z) - aimag(r@(1)%z))
---
class(shape_t), allocatable :: s@, t@
«allocate (s@, source=ball($V, $V))|allocate (ring :: s@)|s@ = shape_made($C, $V, $V)|\
allocate (s@, source=path(size=$V, v=[$V, 0.3, $V]))|s@ = ring(size=$V, r=$V, hole=0.3)»
call s@%grow($V)
«t@ = s@|allocate (t@, source=s@)|allocate (t@, mold=s@)|allocate (ball :: t@)|t@ = shape_made(n, $V, $V)»
?4 if ($B) call move_alloc(t@, s@)
if (.not. allocated(t@)) allocate (t@, source=s@)
select type (q@ => s@)
type is (ball)
q@%r = sin(q@%r + $V)
+scalar q@%r
BLOCK
type is (path)
if (.not. allocated(q@%v)) q@%v = $E
q@%v = tanh(q@%v * $V)
+array q@%v 3
BLOCK
class is (ball)
q@%r = q@%r * $V
+scalar q@%size
BLOCK
class default
$P = 0.3
end select
select type (t@)
type is (path)
if (.not. allocated(t@%v)) t@%v = [$V, $V]
end select
call t@%grow($V)
$P = 0.6 * t@%measure($V) + 0.4 * s@%measure($V)
---
type(holder), allocatable :: all@(:)
allocate (all@($C + 2))
do i@ = 1, size(all@)
all@(i@)%s = shape_made(i@, $V, $V)
end do
?4 all@(1) = all@(2)
?3 all@(1:2) = all@(2:1:-1)
?3 all@ = [all@, all@(1)]
?3 call move_alloc(all@(1)%s, all@(2)%s)
if (.not. allocated(all@(1)%s)) allocate (all@(1)%s, source=ball($V, $V))
do i@ = 1, size(all@)
call all@(i@)%s%grow($V)
$P = 0.5 * all@(i@)%s%measure($V)
+scalar all@(i@)%s%size
BLOCK
end do
---
class(ball), allocatable :: many@(:)
«allocate (ring :: many@(3))|allocate (ball :: many@(3))|allocate (many@(3), source=ring(size=$V, r=$V, hole=$V))»
?5 many@(2)%r = $V
?4 many@%size = $E
?4 many@%r = many@(3:1:-1)%r * $V
do i@ = 1, 3
call many@(i@)%grow($V)
+scalar many@(i@)%r
BLOCK
end do
select type (many@)
type is (ring)
many@%hole = sin(many@%hole + many@%r)
end select
$P = many@(1)%measure($V) * many@(3)%measure($V)
---
type(buffer) :: one@, two@
call one@%fill(«3|n|4», $V)
+array one@%data 3+
one@%data(2) = $X
two@ = one@
+array two@%data 3+
BLOCK
?5 one@ = two@
$P = tanh(sum(one@%data) * 0.2 * two@%data(1))
---
type(counted) :: one@
type(couple) :: c@, d@
one@%v = $E
c@%a = one@
c@%b = c@%a
c@%weight = $V
d@ = c@
?5 d@%b%v = [d@%b%v, $V]
?4 c@ = d@
+array d@%a%v 3
+scalar c@%weight
BLOCK
$P = tanh(sum(d@%b%v) * d@%weight * d@%a%copies * 0.2 - sum(c@%a%v(1:3) * d@%a%v(1:3)))
---
type(stack) :: st@
do i@ = 1, $C
call st@%push($V + 0.1 * i@)
BLOCK
end do
call st@%push($V)
got = st@%pop()
got = sin(got) + 0.5 * st@%pop()
$P = got
---
type(twig), allocatable :: tree@, copy@
do i@ = 1, $#
call twig_insert(tree@, $N{i@} * (1 - 0.3 * i@))
end do
?5 copy@ = tree@
?3 if (allocated(tree@%left)) call move_alloc(tree@%left, copy@)
?3 if (allocated(tree@%right)) tree@%right%v = $X
$P = tanh(twig_total(tree@) - 0.4 * twig_total(copy@))
---
complex(8) :: z@, all@(3)
z@ = cmplx($V, $V, 8)
all@ = «z@|cmplx($E, $E, 8)|[z@, conjg(z@), (0.3_8, 0.2_8)]»
all@(2) = «all@(1) * z@ + 0.2|exp(0.3 * all@(2))|sqrt(all@(3) + 2.0)|all@(1) / (2.0 + abs(z@) ** 2)|log(all@(1) + 3.0)|\
conjg(all@(3)) * $V|sin(0.4 * z@) ** 2»
?5 all@ = cshift(all@, 1) * z@
?4 z@ = «sum(all@)|dot_product(all@, all@)|product(0.5 * all@)|all@(3) ** 3» * 0.2
?4 all@(3)%re = $X
?4 z@%im = $V
$P = tanh(real(all@(2), 8) - 0.4 * aimag(sum(all@)) + abs(z@))
---
integer :: at@(5)
at@ = [(mod(ii * 2, 5) + 1, ii = 1, 5)]
?5 at@ = at@(at@)
$P = tanh(sum(x(at@(2:4))) + x(at@($K)))
x(at@(1:3)) = sin($E)
---
integer :: order@(3)
call order_by($E, order@)
do i@ = 1, 3
$P = 0.6 * $V + $J{order@(i@)} * 0.3
end do
---
character(len=10) :: word@
word@ = merge('linear    ', 'square    ', $B)
?5 if ($B) word@ = 'cu' // 'bic'
select case (trim(word@))
case ('linear')
$P = 0.5 * $V
BLOCK
case ('square', 'circle')
got = $V
$P = tanh(got * got)
case default
$P = sin($V) * len_trim(word@)
end select
---
real(4) :: f@, g@(3) ! ; rounds
f@ = real($V, 4)
g@ = real($E, 4)
f@ = f@ * sum(g@) * 0.2_4 + 0.1_4
?5 g@ = sin(g@ * f@)
$P = tanh(real(f@, 8) + g@(2))
$T = tanh(g@ * $E)
---
real(8) :: t@(3)
t@ = 0.2
outer@: do i@ = 1, 3
do j@ = 1, $C
if ($B) cycle outer@
if ($B) exit outer@
t@(i@) = sin(t@(i@) + $V)
end do
BLOCK
end do outer@
$P = sum(t@) * 0.3
"""
