! check: array n=5
C     Computed GOTO, arithmetic IF, EQUIVALENCE, ENTRY, alternate return.
      DOUBLE PRECISION FUNCTION OBJECTIVE(X, N) BIND(C)
      INTEGER, VALUE :: N
      DOUBLE PRECISION X(N), S, R, SQUARE, CUBE
      DOUBLE PRECISION A(6), P(3), Q(3)
      EQUIVALENCE (A(1), P(1)), (A(4), Q(1))
      INTEGER I, K
      DO 5 I = 1, 6
    5 A(I) = X(MOD(I, N) + 1) * I
      S = P(2) * Q(1) + A(6)
      I = 1
  100 CONTINUE
      K = MOD(I, 3) + 1
      GO TO (110, 120, 130), K
  110 S = S + SQUARE(X(I))
      GO TO 140
  120 S = S + CUBE(X(I))
      GO TO 140
  130 CALL ROOT(X(I), R, *150)
      S = S + R
  140 I = I + 1
      IF (I - N) 100, 100, 160
  150 S = S - 1D0
      GO TO 140
  160 CONTINUE
      OBJECTIVE = S
      END

      DOUBLE PRECISION FUNCTION SQUARE(U)
      DOUBLE PRECISION U, CUBE
      SQUARE = U * U
      RETURN
      ENTRY CUBE(U)
      CUBE = U ** 3
      END

      SUBROUTINE ROOT(U, R, *)
      DOUBLE PRECISION U, R
      IF (U .LE. 0D0) RETURN 1
      R = SQRT(U)
      END
