import type { Message } from './messages.ts'

/** What a test can see of the requests, as they came except for card numbers. */
export interface ReceivedThreeDs {
  preauths: Message[]
  areqs: Message[]
  /** `threeDSMethodData`, decoded; `null` when it is not what it should be. */
  methods: (Message | null)[]
  /** `creq`, decoded, and whether the bank accepted it. */
  challenges: { creq: Message | null; sessionData: string | null; accepted: boolean }[]
  /** What the payer typed or pressed is not kept, only what came of it. */
  submissions: { acsTransID: string; outcome: 'wrong_code' | 'passed' | 'failed' | 'canceled' }[]
  postauths: Message[]
}

/** Of each kind. */
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

/** A copy with the first six and last four digits of the card number. */
export function withMaskedNumber(message: Message): Message {
  const { acctNumber } = message
  if (acctNumber === undefined) return message
  return { ...message, acctNumber: String(acctNumber).replace(/(?<=^.{6}).*(?=.{4}$)/s, '******') }
}
