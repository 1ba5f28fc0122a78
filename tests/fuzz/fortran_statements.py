"""Fortran statements as texts, of which `fortran_programs` makes random ones.

    @          a number that makes names the statement's own
    $V $P $S   a value; a place that may be assigned; the name of a scalar
    $X $B $C   an expression that stays bounded; a condition; a count
    $3 $E $L   three elements of an array; an expression of three numbers; one of three logicals
    $T $Q      three elements that may be assigned; the same by a vector of places
    $R         a number made of arrays
    $J         the element jj of an array, where jj is 1 to 3; $J{i}: the element i
    $W $M      an array that may be reallocated, the same in all the text; a matrix of 3 by 3
    $G $H $Y   an array that pointers may point to; three elements, or one, of such
    $# $N{i}   how many elements an array has; its element i
    $K $D $I   1, 2 or 3; 1 or 2; an index from 1 to 3
    «p|q»      one of these
    ?p text    the line stands there with probability p in ten
    BLOCK      more statements; STAY: such that do not leave
    CHANGE     a statement that changes an allocatable
    HEAD text  a declaration of the whole procedure
    +array v   v may be named from here to the end of the block; with how many elements (3+: or more), from which
               bound on; also +vector, +scalar, +matrix
    SAME a b   both share memory

What changes allocatables keeps three elements. A value that stands behind a DEALLOCATE must not be of the array.
flang 22 reads out of bounds for shifts of sections by negative numbers, and loses memory where elements chosen by
vectors are assigned to others of the same array.
"""

from __future__ import annotations

SIMPLE = """
call settle($T)
---
call settle($M)
---
$T = «sin|tanh|0.8 * atan»($E)
---
$T = «sin|tanh|0.8 * atan»($E)
---
$T = $3
---
$P = 0.4 * tanh($R)
---
$P = 0.4 * tanh($R)
---
$Q = tanh([$V, $V, $V])
---
where ($L) $T = sin($E)
---
forall (jj = 1:3) $J = tanh($J + $J)
---
forall (jj = 1:3, $J > 0.4) $J = 0.3 * jj
---
$P = merge($V, $X, $B)
---
$P = «blend($V, $V)|$V .mix. $V|soften($V)|soften($V, eps=$V)»
---
$T = «blend($E, $E)|soften($E)|soften($E, $E)|soften($E, eps=$V)»
---
kk = «maxloc|minloc»($E, dim=1)
$P = sin($N{kk})
---
kk = sum(«maxloc|minloc»($E, mask=$L))
$P = 0.3 * $N{max(kk, 1)}
---
kk = iand(ieor(n + 1, $C), 1) + 1
$P = 0.7 * $N{kk}
---
$P = dot_product($E, $E) / (2.0 + dot_product($E, $E))
---
$M = tanh(«transpose($M)|matmul($M, $M)|spread($E, $D, 3)|$M * $M + 0.2|reshape([$E, $E, $E], [3, 3])|\
reshape([$E, $E, $E], [3, 3], order=[2, 1])|merge($M, transpose($M), $M > 0.4)|cshift($M, 1, dim=$D)|\
eoshift($M, 1, boundary=$V)|$M(3:1:-1, :)|$M([2, 3, 1], :)»)
---
$M(:, $K) = matmul(«$M, $E|$E, $M»)
$M($K, :) = tanh($M(:, $K) - $E)
---
where ($M > $V) $M = 0.4 * $M
---
$T = sin(«sum|maxval|minval»($M, dim=«1|2»))
---
$P = 0.5 * tanh(«sum($M, mask=$M > 0.3)|maxval($M)|norm2($M)|sum(matmul($E, $M))|product(0.8 + 0.2 * sin($M))|\
real(count($M > $V), 8) * 0.1|sum([($M(ii, ii), ii = 1, 3)])»)
---
do concurrent (jj = 1:3)
$J = 0.3 * jj
end do
"""
CHANGES = """
call settle($W)
---
$W = [$W, $V]
---
$W = [$V, $W]
---
$W = [$W, $E]
---
$W = [$V, $V, $W(3:)]
---
$W = «$W(size($W):1:-1)|$W([3, 1, 2])|$W|$W(:3)|cshift($W, 1)»
---
$W = tanh(«$E|$W * $V|$W + $W(size($W):1:-1)»)
---
$W = [pack($W, $W > $V), $V, 0.4, $V]
---
$W = pack($W, $W > 0.3, vector=0.5 * $W)
---
$W(:) = tanh($W * $V)
---
$W = [(0.5 * $W(ii), ii = 1, size($W)), $V]
---
got = $V
deallocate ($W)
allocate ($W(«3|4|n»), source=got)
---
real(8), allocatable :: t@(:)
call move_alloc($W, t@)
allocate ($W(size(t@) + 1), source=0.3d0)
$W(:size(t@)) = t@
---
real(8), allocatable :: t@(:)
t@ = $W
?5 t@ = [t@, $V]
«$W = t@|call move_alloc(t@, $W)|call move_alloc(from=t@, to=$W)»
---
$W(size($W)) = $W(1) * $V
"""
ARRAYS = """
real(8), allocatable :: v@(:)
«v@ = [$V, $V, 0.3]|v@ = $E|allocate (v@(n), source=$V)|allocate (v@, source=$3)|v@ = [(($V * ii), ii = 1, n)]|\
v@ = pack($E, .true.)»
+vector v@
CHANGE
?5 CHANGE
BLOCK
$P = tanh(0.3 * sum(v@) + $V)
---
real(8), allocatable :: v@(:), w@(:)
allocate (v@(4), mold=$V)
v@ = $V
allocate (w@, mold=v@)
w@ = 0.2 * v@ + $V
+vector v@
+vector w@
BLOCK
?5 call move_alloc(w@, v@)
?5 if (allocated(w@)) v@ = v@(1:3) * w@(1:3)
$P = tanh(0.3 * sum(v@))
---
real(8), allocatable :: z@(:)
allocate (z@(«0:4|-1:3»))
z@ = $V
z@(0) = $X
BLOCK
$P = tanh(sum(z@(lbound(z@, 1):ubound(z@, 1):2)) * 0.3 + z@(2))
---
real(8) :: z@(0:4)
z@ = [$V, $E, $V]
+array z@ 5 0
BLOCK
$P = sin(z@(0) * z@(4))
---
real(8) :: e@(n + 1), f@(3, n)
e@ = [(0.1 * ii, ii = 0, n)]
f@ = spread($E, 2, n)
+array e@ 5
+array f@(:, n - 1) 3
+array f@(2, :) 5
BLOCK
$P = tanh(sum(f@) * 0.1 + e@(n + 1) * sum(e@(2:n:2)))
---
real(8) :: m@(3, 3)
m@ = reshape([$E, $E, $E], [3, 3])
+matrix m@
+array m@(2, :) 3
+array m@(:, 1) 3
BLOCK
$P = tanh(sum(m@ * transpose(m@)) * 0.2 + m@(1, 2))
---
real(8), allocatable :: m@(:, :), h@(:, :)
allocate (m@(3, $C + 3))
do i@ = 1, size(m@, 2)
m@(:, i@) = $E
end do
?5 h@ = m@(:, 1:3) * $V
?5 if (.not. allocated(h@)) call move_alloc(m@, h@)
?5 if (.not. allocated(m@)) m@ = tanh(matmul(h@, transpose(h@)))
if (allocated(h@)) m@ = 0.5 * h@(:, 3:1:-1)
+array m@(2, :) 3+
+array m@(:, 3) 3
BLOCK
$P = 0.3 * tanh(sum(m@))
---
real(8) :: c@(2, 3, 2)
c@ = reshape([$E, $E, $E, $E], [2, 3, 2])
+array c@(2, :, 1) 3
+array c@(1, :, $K / 2 + 1) 3
BLOCK
$T = tanh(sum(sum(c@, dim=1), dim=2))
$P = tanh(sum(c@(:, 2, :) * transpose(c@(:, 1, :))))
---
real(8) :: d@(3), e@(3)
d@ = $E
do concurrent (jj = 1:3)
«e@(jj) = sin(d@(jj) * jj)|if (d@(jj) > 0.4) d@(jj) = 0.5 * d@(jj)»
end do
e@ = tanh(d@ + $V)
$T = merge(d@, e@, d@ < e@)
---
HEAD real(8) :: t@
real(8) :: d@(4)
d@ = 0.3 * $V
do concurrent (jj = 2:4) local(t@)
t@ = 0.2 * jj
d@(jj) = sin(t@ + d@(jj))
end do
$P = sum(d@) * 0.3
---
real(8) :: old@(4), new@(4)
old@ = $V
old@(2) = $V
do i@ = 1, $C
new@(2:3) = sin(old@(1:2) + old@(3:4) * $V)
new@(1:4:3) = old@(4:1:-3)
old@ = new@
BLOCK
end do
$P = tanh(old@(1) * old@(2) + old@(3))
---
where ($L)
$T = sin($E)
elsewhere ($L)
$T = tanh($E)
elsewhere
$T = 0.4 * tanh($E)
end where
---
forall (jj = 1:3)
$J = sin($J * jj)
$J = tanh($J)
end forall
---
real(8), allocatable :: old@(:), new@(:), temp@(:)
old@ = $E
do i@ = 1, $C
new@ = sin(cshift(old@, 1) + $V * old@)
call move_alloc(old@, temp@)
call move_alloc(new@, old@)
?5 new@ = temp@
+vector old@
BLOCK
if (allocated(new@)) deallocate (new@)
end do
$P = tanh(old@(1) * old@(2) + old@(3))
"""
GRIDS = """
real(8) :: g@(n, n)
g@ = reshape([(sin($V * ii), ii = 1, n * n)], [n, n])
do t@ = 1, $C
do j@ = «2, n - 1|n - 1, 2, -1|2, n - 1, 2»
do i@ = «2, n - 1|j@, n - 1|2, j@|n - 1, 2, -1»
g@(i@, j@) = «sin(g@(i@ - 1, j@) * g@(i@, j@ + 1))|tanh(g@(i@, j@) * g@(j@, i@) + g@(i@ + 1, j@ - 1))|\
g@(i@, j@) - 0.4 * sin(g@(i@, j@ - 1) * g@(n, j@))|g@(n + 1 - i@, j@) / (1.2 + g@(j@, i@) ** 2)»
end do
end do
?4 g@(2:n - 1, 2:n - 1) = 0.25 * (g@(1:n - 2, 2:n - 1) + g@(3:n, 2:n - 1) + g@(2:n - 1, 1:n - 2) + g@(2:n - 1, 3:n))
?4 g@(:, 1) = g@(n, :) * 0.5
?3 g@(2:, :) = tanh(g@(:n - 1, :) + $V)
end do
$P = tanh(g@(2, 2) * g@(1, n) + g@(n, 2) + 0.1 * sum(g@))
---
real(8), allocatable :: old@(:, :), new@(:, :)
allocate (old@(0:n, 3), source=$V)
allocate (new@, mold=old@)
new@ = 0
old@(2, :) = $E
do t@ = 1, $C
do concurrent (integer :: j@ = 1:3, i@ = 1:n - 1)
new@(i@, j@) = sin(old@(i@ - 1, j@) + old@(i@ + 1, mod(j@, 3) + 1) * $V)
end do
«old@ = new@|call move_alloc(new@, old@)|old@(1:, :) = new@(1:, :)»
if (.not. allocated(new@)) allocate (new@, source=old@)
+array old@(2, :) 3
+array old@(:, 2) 6 0
BLOCK
end do
$P = tanh(0.2 * sum(old@) + old@(1, 2))
---
real(8) :: l@(4, 4), b@(4)
b@ = [$E, $V]
l@ = 0.2 * spread(sin(b@), 1, 4) * spread(sin(b@), 2, 4)
do i@ = 1, 4
l@(i@, i@) = l@(i@, i@) + 1.5
end do
do k@ = 1, 4
l@(k@, k@) = sqrt(l@(k@, k@) - dot_product(l@(k@, :k@ - 1), l@(k@, :k@ - 1)))
do i@ = k@ + 1, 4
l@(i@, k@) = (l@(i@, k@) - dot_product(l@(i@, :k@ - 1), l@(k@, :k@ - 1))) / l@(k@, k@)
end do
b@(k@) = (b@(k@) - sum(l@(k@, :k@ - 1) * b@(:k@ - 1))) / l@(k@, k@)
end do
do k@ = 4, 1, -1
b@(k@) = (b@(k@) - dot_product(l@(k@ + 1:, k@), b@(k@ + 1:))) / l@(k@, k@)
end do
$T = tanh(b@(2:4) * b@(1))
"""
POINTERS = """
real(8), pointer :: p@(:)
p@ => $H
?4 if ($B) p@ => $H
+array p@ 3
BLOCK
?5 p@ = sin(p@ + $V)
?3 if (associated(p@, x)) p@ = 0.1
$P = tanh(p@(1) * p@(3))
---
real(8), pointer :: p@(:)
p@(0:2) => $H
+array p@ 3 0
BLOCK
$P = tanh(p@(0) * p@(2))
---
real(8), pointer :: q@
q@ => $Y
?5 if ($B) q@ => $Y
+scalar q@
q@ = 0.7 * sin(q@ + $V)
BLOCK
---
real(8), pointer :: p@(:)
«allocate (p@(n), source=$V)|allocate (p@, source=$E)|allocate (p@(3))»
p@ = $V
p@(2) = $X
+array p@ 3+
STAY
$P = tanh(sum(p@) * 0.3)
deallocate (p@)
---
real(8), pointer :: one@(:), two@(:), temp@(:)
allocate (one@(4), two@(4))
one@ = $V
two@ = 0.1
one@(2) = $X
do i@ = 1, $C
two@ = sin(cshift(one@, 1) + $V * one@)
temp@ => one@
one@ => two@
two@ => temp@
STAY
end do
$P = tanh(one@(1) * one@(2) + two@(3))
deallocate (one@, two@)
---
real(8), target :: flat@(6)
real(8), pointer :: grid@(:, :)
flat@ = [$E, $E]
grid@(1:2, 1:3) => flat@
+array grid@(2, :) 3
+array flat@ 6
BLOCK
$P = tanh(sum(grid@(:, 2)) - grid@(1, 3))
---
real(8), pointer :: p@(:)
p@ => part_of($G, $D)
+array p@ 3
BLOCK
$P = tanh(p@(1) * p@(2))
---
type(view) :: views@(3)
views@(1)%at => $H
views@(2)%at => $H
views@(2)%one => $Y
views@(3) = views@($D)
?5 views@(1)%one => views@(2)%at(2)
do i@ = 1, 3
views@(i@)%at = tanh(views@(i@)%at + $V)
if (associated(views@(i@)%one)) views@(i@)%one = 0.5 * views@(i@)%one
+array views@(i@)%at 3
BLOCK
end do
$P = tanh(views@(1)%at(1) * views@(3)%at(2))
---
associate (a@ => $Y, b@ => $V * 0.8)
a@ = sin(a@ + b@)
+scalar a@
BLOCK
$P = tanh(a@ * b@)
end associate
---
associate (v@ => $H)
v@ = tanh(v@ + $V)
+array v@ 3
BLOCK
$P = sum(v@) * 0.3
end associate
---
procedure(curve), pointer :: f@
f@ => «soft|wave|bump»
?7 if ($B) f@ => «soft|wave|bump»
do i@ = 1, $C
$P = f@($V) + 0.2 * f@($V)
BLOCK
end do
---
type(action) :: f@(3)
f@(1) = action($V, wave)
f@(2)%f => «soft|bump»
f@(2)%k = $V
f@(3) = f@(1)
?5 if ($B) f@(3)%f => «soft|wave|bump»
?4 f@(1:2) = f@(2:1:-1)
got = $V
do i@ = 1, 3
got = f@(i@)%f(got * f@(i@)%k)
end do
$P = got
---
HEAD real(8) :: e@(6), f@(3)
HEAD equivalence (e@(3), f@(1))
e@ = $V
f@(2) = $X
+array e@ 6
+array f@ 3
SAME e@ f@
BLOCK
$P = sin(e@(4) * f@(1))
---
type(node), pointer :: head@, at@
nullify (head@)
do i@ = 1, $C
allocate (at@)
at@%v = $V + 0.1 * i@
at@%next => head@
head@ => at@
end do
?5 call list_reverse(head@)
at@ => head@
do while (associated(at@))
at@%v = sin(at@%v)
?6 if (associated(at@%next)) at@%v = at@%v + 0.3 * at@%next%v
+scalar at@%v
STAY
at@ => at@%next
end do
?4 call list_reverse(head@)
got = 0.5
at@ => head@
do while (associated(at@))
got = 0.6 * got + sin(at@%v)
at@ => at@%next
end do
$P = got
call list_free(head@)
---
type(tree), pointer :: tree@
nullify (tree@)
do i@ = 1, $#
call tree_insert(tree@, $N{i@} * (1 - 0.3 * i@))
end do
$P = tanh(tree_total(tree@))
call tree_free(tree@)
"""


def texts(statements: str) -> list[str]:
    """The single statements of one of these."""
    return [text.strip() for text in statements.replace("\\\n", "").split("---\n")]
