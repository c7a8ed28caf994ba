import { placeLate, record } from './record.ts'
import type { Rules } from './rules.ts'
import {
  type Batch,
  batchAt,
  CLAIMS_MAX,
  CRASHES_MAX,
  IDLE,
  isClosed,
  openName,
  type Recovery,
  type State,
  type Step,
  withBatch,
} from './state.ts'

type Busy = Exclude<Recovery, { at: 'idle' }>

/** Returns the possible steps of recovery, including its crashes. */
export function recoverySteps(state: State, rules: Rules): Step[] {
  const { recovery } = state
  if (recovery.at === 'idle') return claims(state, rules)
  return [work(state, recovery, rules), ...die(state, recovery)]
}

/** The lease may expire while the settler is alive, so a settlement can be claimed at any time. */
function claims(state: State, { recovery }: Rules): Step[] {
  if (!recovery) return []
  return state.batches.flatMap((batch, row) => {
    if (!isClaimable(state, batch)) return []
    const epoch = batch.epoch + 1
    const claimed = withBatch(state, row, { epoch })
    return [next(claimed, `recovery claims batch ${row + 1}`, { at: 'inquiring', row, epoch })]
  })
}

/** Whether recovery can claim the batch; each settlement and each claim has an epoch. */
export function isClaimable({ batches }: State, { status }: Batch): boolean {
  const claims = batches.reduce((sum, { epoch, attempts }) => sum + epoch - attempts, 0)
  return status === 'settling' && claims < CLAIMS_MAX
}

function work(state: State, recovery: Busy, rules: Rules): Step {
  const { row, epoch } = recovery
  switch (recovery.at) {
    case 'inquiring':
      return inquire(state, { row, epoch }, rules)
    case 'writing':
      return write(state, recovery, rules)
    case 'completing':
      return next(placeLate(state, row + 1).state, 'recovery places what was recorded meanwhile', IDLE)
  }
}

/** Inquires about a settlement, which is never sent again automatically. */
function inquire(state: State, owned: { row: number; epoch: number }, rules: Rules): Step {
  const name = rules.inquiresByName ? batchAt(state, owned.row).name : openName(state)
  if (isClosed(state, name)) return next(state, 'recovery finds it settled', found(owned, 'settled'))
  if (rules.waitsForArrival && canStillArrive(state, owned.row, rules))
    return next(state, 'recovery finds it open too early', IDLE)
  return next(state, 'recovery finds it open for good', found(owned, 'refused'))
}

const found = (owned: { row: number; epoch: number }, verdict: 'settled' | 'refused'): Recovery => ({
  at: 'writing',
  ...owned,
  verdict,
})

function write(state: State, { row, epoch, verdict }: Extract<Busy, { at: 'writing' }>, rules: Rules): Step {
  const words = `recovery writes "${verdict}"`
  const written = record(state, { row, epoch, attempt: null, result: verdict }, rules)
  if (written && verdict === 'settled') return next(written, words, { at: 'completing', row, epoch })
  return next(written ?? state, words, IDLE)
}

/**
 * Whether a request can still arrive: without PAY-5, a sender that was suspended before its write may send after the
 * wait.
 */
function canStillArrive(state: State, row: number, { senderChecksDeadline }: Rules): boolean {
  const ofRow = state.settlers.filter((one) => one.row === row)
  const isUnderWay = ofRow.some(({ id }) => state.network.some((one) => one.from === id && one.content === 'request'))
  return isUnderWay || (senderChecksDeadline && ofRow.some(({ at }) => at === 'sending'))
}

/** Crashes; an inquiry without a result has the same effect. */
function die(state: State, { at }: Busy): Step[] {
  if (state.crashes === CRASHES_MAX) return []
  return [next({ ...state, crashes: state.crashes + 1 }, `recovery is killed while ${at}`, IDLE)]
}

const next = (state: State, words: string, recovery: Recovery): Step => ({ words, state: { ...state, recovery } })
