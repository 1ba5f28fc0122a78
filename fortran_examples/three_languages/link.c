/* Energy of one link, of a spring that softens as the Rust part says. */
double softened(double stretch, double stiffness);

double link_energy(double stretch, double stiffness) {
  double energy = 0;
  for (int i = 0; i < 8; i++) /* the work along the way, by the midpoint rule */
    energy += softened((i + 0.5) / 8 * stretch, stiffness) * stretch / 8;
  return energy;
}
