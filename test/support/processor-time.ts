import { readdirSync, readFileSync } from 'node:fs'

// The kernel counts in hundredths of a second (proc_pid_stat(5)). On other systems than Linux nothing is counted.

const TICKS_PER_SECOND = 100
const isLinux = process.platform === 'linux'

interface ProcessTime {
  parent: number
  name: string
  /** Processor seconds, including those of ended programs that it started. */
  seconds: number
}

/** Returns the processor seconds of programs that this process started and that have ended. */
export function secondsOfEnded(): number {
  if (!isLinux) return 0
  const [, ...fields] = statOf('self')
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}

/** Returns the processor seconds of a process and of all its descendants. */
export function secondsOfTree(root: number): number {
  if (!isLinux) return 0
  const processes = everyProcess()
  const children = Map.groupBy(processes.keys(), (pid) => processes.get(pid)?.parent)
  const sum = (pid: number): number =>
    (processes.get(pid)?.seconds ?? 0) + (children.get(pid) ?? []).reduce((seconds, child) => seconds + sum(child), 0)
  return sum(root)
}

/** Returns the ids of programs that this process has started and whose name begins with the given text. */
export function startedPrograms(name: string): number[] {
  if (!isLinux) return []
  return [...everyProcess()]
    .filter(([, one]) => one.parent === process.pid && one.name.startsWith(name))
    .map(([pid]) => pid)
}

/** Returns the seconds in which the cores of this machine were busy and idle since its start. */
export function secondsOfCores(): { busy: number; idle: number } {
  if (!isLinux) return { busy: 0, idle: 0 }
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, ...interrupts] = line.split(/\s+/).slice(1).map(Number)
  const [hardware = 0, software = 0] = interrupts
  const busy = user + nice + system + hardware + software
  return { busy: busy / TICKS_PER_SECOND, idle: (idle + waiting) / TICKS_PER_SECOND }
}

function everyProcess(): Map<number, ProcessTime> {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return new Map(
    pids.flatMap((pid) => {
      try {
        const [name, ...fields] = statOf(pid)
        const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
        return [[pid, { parent: Number(fields[1]), name, seconds: ticks / TICKS_PER_SECOND }] as const]
      } catch {
        // The process has ended meanwhile.
        return []
      }
    }),
  )
}

/** Returns its name, and the fields after it, from the third on. */
function statOf(pid: number | 'self'): [name: string, ...fields: string[]] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [name = '', fields = ''] = [
    text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
    text.slice(text.lastIndexOf(')') + 2),
  ]
  return [name, ...fields.split(' ')]
}
