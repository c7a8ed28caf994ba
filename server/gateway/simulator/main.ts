import { parseArgs } from 'node:util'
import { type RunningSimulator, startSimulator } from './start-simulator.ts'

// The gateway simulator as a program of its own:
//   node server/gateway/simulator/main.ts --port 4010 --ledger data/simulator.jsonl [--time-scale 0.05]
// A parent with an IPC channel is told `{ type: 'listening', port }`, and takes the simulator with it when it dies.

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    ledger: { type: 'string' },
    'time-scale': { type: 'string', default: '1' },
  },
})

const timeScale = Number(values['time-scale'])
if (!(timeScale > 0)) fail('--time-scale takes a number above 0.')

try {
  const running = await startSimulator({
    port: Number(values.port),
    timeScale,
    ...(values.ledger !== undefined && { ledgerFile: values.ledger }),
    onFatal: (error) => fail(`The ledger cannot be written: ${(error as Error).message}`),
  })
  announce(running)
} catch (error) {
  fail(reason(error as NodeJS.ErrnoException))
}

function announce(running: RunningSimulator): void {
  let isStopping = false
  const stopOnce = () => {
    if (!isStopping) stop(running)
    isStopping = true
  }
  process.on('SIGTERM', stopOnce)
  process.on('SIGINT', stopOnce)
  process.on('disconnect', stopOnce)
  if (process.send) process.send({ type: 'listening', port: running.port })
  else process.stdout.write(`Gateway simulator at ${running.url}\n`)
}

async function stop(running: RunningSimulator): Promise<void> {
  await running.close()
  process.exit(0)
}

function reason(error: NodeJS.ErrnoException): string {
  return error.code === 'EADDRINUSE'
    ? `Port ${values.port} is taken: stop what listens there, or choose another with --port.`
    : `The gateway simulator cannot start: ${error.message}`
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
