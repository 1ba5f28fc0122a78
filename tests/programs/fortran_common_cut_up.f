! check: array n=5 range=0.3:1.2 tol=5e-3 identity=1e-5 step=1e-2
C     A kinetics code of which each routine declares the block as it likes: the same numbers, cut up differently.
      SUBROUTINE INIT(N, X)
      INTEGER N, I
      DOUBLE PRECISION X(N)
      DOUBLE PRECISION CONC, RATES
      REAL TEMP, WIDTH
      INTEGER MODE, ORDER
      LOGICAL ON
      COMPLEX AMP
      COMMON /KIN/ CONC(5), RATES(3), TEMP(4), WIDTH, MODE, ORDER(4),
     &             ON, AMP(2)
      COMMON SCALE, IDX(3), TOTAL
      REAL SCALE
      DOUBLE PRECISION TOTAL
      TOTAL = 0D0
      SCALE = REAL(X(1)) + 0.5
      DO 10 I = 1, 5
        CONC(I) = 0.1D0*I
        IF (I .LE. N) CONC(I) = X(I)
   10 CONTINUE
      DO 20 I = 1, 3
        RATES(I) = 0.3D0*X(I) + 0.1D0
        IDX(I) = 4 - I
   20 CONTINUE
      DO 30 I = 1, 4
        TEMP(I) = 1.0 + 0.1*REAL(CONC(I))
        ORDER(I) = MOD(I, 2) + 1
   30 CONTINUE
      WIDTH = 0.25
      MODE = 2
      ON = N .GT. 3
      AMP(1) = CMPLX(REAL(X(2)), 0.5)
      AMP(2) = AMP(1)*AMP(1)
      END

      SUBROUTINE STEP(DT)
      DOUBLE PRECISION DT, Y(8), D
      REAL T(5)
      INTEGER M(5), I, K
      LOGICAL ON
      COMPLEX A, B
      COMMON /KIN/ Y, T, M, ON, A, B
      DO 40 I = 1, 3
        K = M(1 + I)
        D = Y(5 + I)*Y(I)**K*EXP(-T(I)*T(5))
        Y(I) = Y(I) - DT*D
        Y(I + 1) = Y(I + 1) + DT*D
   40 CONTINUE
      IF (ON) THEN
        T(M(1)) = T(M(1)) + 0.1*REAL(DT)*T(1)
        B = B*A + CONJG(A)
      END IF
      END

      DOUBLE PRECISION FUNCTION OBJECTIVE(X, N) BIND(C)
      USE ISO_C_BINDING
      INTEGER(C_INT), VALUE :: N
      REAL(C_DOUBLE) X(N)
      DOUBLE PRECISION CONC, RATES, TOTAL
      REAL TEMP, WIDTH, SCALE
      COMPLEX AMP
      LOGICAL ON
      COMMON /KIN/ CONC(5), RATES(3), TEMP(4), WIDTH, MODE, ORDER(4),
     &             ON, AMP(2)
      INTEGER MODE, ORDER
      COMMON SCALE, IDX(3), TOTAL
      CALL INIT(N, X)
      DO 50 K = 1, 6
        CALL STEP(0.1D0*SCALE)
        TOTAL = TOTAL + CONC(IDX(1 + MOD(K, 3))) + 0.1D0*TEMP(ORDER(2))
   50 CONTINUE
      OBJECTIVE = TOTAL + ABS(AMP(2)) + REAL(AMP(1)*AMP(2))
      END
