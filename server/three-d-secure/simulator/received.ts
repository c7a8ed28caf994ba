import type { Message } from './messages.ts'

/** Received requests as a test sees them: unchanged except for card numbers. */
export interface ReceivedThreeDs {
  preauths: Message[]
  areqs: Message[]
  /** Decoded `threeDSMethodData`; `null` if invalid. */
  methods: (Message | null)[]
  /** Decoded `creq`, and whether the bank accepted it. */
  challenges: { creq: Message | null; sessionData: string | null; accepted: boolean }[]
  /** What the payer typed or pressed is not stored, only the result. */
  submissions: { acsTransID: string; outcome: 'wrong_code' | 'passed' | 'failed' | 'canceled' }[]
  postauths: Message[]
}

/** Limit of each kind. */
const KEPT_MAX = 200

export class Received {
  #lists: ReceivedThreeDs = empty()

  note<Kind extends keyof ReceivedThreeDs>(kind: Kind, entry: ReceivedThreeDs[Kind][number]): void {
    const list = this.#lists[kind] as ReceivedThreeDs[Kind][number][]
    list.push(entry)
    if (list.length > KEPT_MAX) list.shift()
  }

  all(): ReceivedThreeDs {
    return this.#lists
  }

  clear(): void {
    this.#lists = empty()
  }
}

function empty(): ReceivedThreeDs {
  return { preauths: [], areqs: [], methods: [], challenges: [], submissions: [], postauths: [] }
}

/** Returns a copy with only the first six and last four digits of the card number. */
export function withMaskedNumber(message: Message): Message {
  const { acctNumber } = message
  if (acctNumber === undefined) return message
  return { ...message, acctNumber: String(acctNumber).replace(/(?<=^.{6}).*(?=.{4}$)/s, '******') }
}
