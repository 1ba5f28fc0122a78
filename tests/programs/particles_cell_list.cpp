// check: array n=12 range=0.1:3.9
// Pair forces of particles found through a cell list of linked indices.
#include <array>
#include <cmath>
#include <vector>

struct Particle {
    double x, y;
    int next;
};

extern "C" double objective(const double *x, int n)
{
    std::vector<Particle> particles;
    std::array<std::array<int, 4>, 4> head;
    for (auto &row : head)
        row.fill(-1);
    for (int i = 0; i + 1 < n; i += 2) {
        int cx = static_cast<int>(x[i]), cy = static_cast<int>(x[i + 1]);
        particles.push_back({x[i], x[i + 1], head[cx][cy]});
        head[cx][cy] = i / 2;
    }
    double energy = 0.0;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int i = head[a][b]; i >= 0; i = particles[i].next)
                for (int da = -1; da <= 1; da++)
                    for (int db = -1; db <= 1; db++) {
                        if (a + da < 0 || a + da > 3 || b + db < 0 || b + db > 3)
                            continue;
                        for (int j = head[a + da][b + db]; j >= 0; j = particles[j].next)
                            if (j < i) {
                                double dx = particles[i].x - particles[j].x, dy = particles[i].y - particles[j].y;
                                energy += 1.0 / (0.3 + dx * dx + dy * dy);
                            }
                    }
    for (const Particle &p : particles)
        energy += 0.1 * std::hypot(p.x, p.y);
    return energy;
}
