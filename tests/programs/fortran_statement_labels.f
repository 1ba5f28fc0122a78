! check: array n=5
C     Assigned work space, GOTO loops, IF (...) GOTO, nested DO on one label, PARAMETER, implicit typing, DATA with repeats.
      DOUBLE PRECISION FUNCTION OBJECTIVE(X, N) BIND(C)
      IMPLICIT DOUBLE PRECISION (A-H, O-Z)
      INTEGER, VALUE :: N
      PARAMETER (NMAX = 20, EPS = 1D-12)
      DIMENSION X(N), W(NMAX, 3)
      COMMON /WORK/ SUM1, TABLE(5), KOUNT
      DATA ((W(I, J), I = 1, NMAX), J = 1, 3) /60*0.5D0/
      KOUNT = 0
      SUM1 = 0D0
      DO 10 I = 1, N
      DO 10 J = 1, 3
   10 W(I, J) = X(I) ** J
      I = 1
   20 IF (I .GT. N) GOTO 40
      TABLE(MOD(I, 5) + 1) = W(I, 2)
      CALL ADDUP(W(I, 1), NMAX)
      I = I + 1
      GOTO 20
   40 CONTINUE
C     Newton's method for a square root.
      R = 1D0
   50 RNEW = 0.5D0 * (R + SUM1 / R)
      IF (DABS(RNEW - R) .LT. EPS) GOTO 60
      R = RNEW
      GOTO 50
   60 OBJECTIVE = RNEW + TABLE(2) * TABLE(3) + KOUNT
      RETURN
      END

      SUBROUTINE ADDUP(A, LDA)
      IMPLICIT DOUBLE PRECISION (A-H, O-Z)
      DIMENSION A(LDA, *)
      COMMON /WORK/ TOTAL, TAB(5), KOUNT
      TOTAL = TOTAL + A(1, 1) + 0.5D0 * A(1, 2) + 0.1D0 * A(1, 3)
      KOUNT = KOUNT + 1
      END
