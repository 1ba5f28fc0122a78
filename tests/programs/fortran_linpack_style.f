! check: array n=12
C     LU with partial pivoting in a work array passed by parts; BLOCK DATA.
      DOUBLE PRECISION FUNCTION OBJECTIVE(X, N) BIND(C)
      INTEGER, VALUE :: N
      DOUBLE PRECISION X(N), WORK(40)
      INTEGER IPVT(3), I, INFO
      DOUBLE PRECISION SCALE
      COMMON /SETUP/ SCALE, ITER
      DO 10 I = 1, 9
   10 WORK(I) = X(I) + SCALE * MOD(I * 7, 5)
      CALL DGEFAX(WORK(1), 3, 3, IPVT, INFO)
      IF (INFO .NE. 0) STOP 3
      DO 20 I = 1, 3
   20 WORK(9 + I) = X(9 + I)
      CALL DGESLX(WORK, 3, 3, IPVT, WORK(10))
      OBJECTIVE = WORK(10) + 2 * WORK(11) * WORK(12)
      WRITE (*, 900, ERR=30) OBJECTIVE
  900 FORMAT (' VALUE', 1PE12.4)
   30 CONTINUE
      END

      BLOCK DATA
      DOUBLE PRECISION SCALE
      COMMON /SETUP/ SCALE, ITER
      DATA SCALE /1.5D0/, ITER /3/
      END

      SUBROUTINE DGEFAX(A, LDA, N, IPVT, INFO)
      INTEGER LDA, N, IPVT(N), INFO, I, J, K, L
      DOUBLE PRECISION A(LDA, *), T
      INFO = 0
      DO 60 K = 1, N - 1
         L = K
         DO 10 I = K + 1, N
   10    IF (DABS(A(I, K)) .GT. DABS(A(L, K))) L = I
         IPVT(K) = L
         IF (A(L, K) .EQ. 0D0) GOTO 70
         IF (L .NE. K) THEN
            T = A(L, K)
            A(L, K) = A(K, K)
            A(K, K) = T
         END IF
         DO 20 I = K + 1, N
   20    A(I, K) = -A(I, K) / A(K, K)
         DO 50 J = K + 1, N
            T = A(L, J)
            IF (L .NE. K) THEN
               A(L, J) = A(K, J)
               A(K, J) = T
            END IF
            CALL DAXPYX(N - K, T, A(K + 1, K), 1, A(K + 1, J), 1)
   50    CONTINUE
   60 CONTINUE
      RETURN
   70 INFO = K
      END

      SUBROUTINE DGESLX(A, LDA, N, IPVT, B)
      INTEGER LDA, N, IPVT(*), K, L
      DOUBLE PRECISION A(LDA, *), B(*), T
      DO 10 K = 1, N - 1
         L = IPVT(K)
         T = B(L)
         B(L) = B(K)
         B(K) = T
         CALL DAXPYX(N - K, T, A(K + 1, K), 1, B(K + 1), 1)
   10 CONTINUE
      DO 20 K = N, 1, -1
         B(K) = B(K) / A(K, K)
         T = -B(K)
         CALL DAXPYX(K - 1, T, A(1, K), 1, B, 1)
   20 CONTINUE
      END

      SUBROUTINE DAXPYX(N, DA, DX, INCX, DY, INCY)
      INTEGER N, INCX, INCY, I, IX, IY
      DOUBLE PRECISION DA, DX(*), DY(*)
      IX = 1
      IY = 1
      DO 10 I = 1, N
         DY(IY) = DY(IY) + DA * DX(IX)
         IX = IX + INCX
         IY = IY + INCY
   10 CONTINUE
      END
