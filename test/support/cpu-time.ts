/**
 * Returns the CPU milliseconds of this thread so far. A test can limit the work of its own thread with it, independent
 * of other load on the machine.
 */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
