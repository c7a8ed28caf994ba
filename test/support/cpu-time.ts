/**
 * The CPU milliseconds of this thread so far. What a test says of work in its own thread holds by it whatever else the
 * machine does.
 */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
