double area(double x, double k, int n) { return x * x * k * n; }
