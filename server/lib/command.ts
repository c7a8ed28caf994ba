import { parseArgs } from 'node:util'
import { CARD_NUMBER_IN_TEXT } from '../../contract/card-number-in-text.ts'
import { holdsCardNumber } from './card-number-in-text.ts'

/** An operator's command was called incorrectly. The message ends with its usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError'

  constructor(problem: string, usage: string) {
    super([problem, usage].filter(Boolean).join('\n\n'))
  }
}

/** A parsed command line, such as `create --name "Demo Shop"`. */
export interface Command {
  verb: string
  /** @throws UsageError if the option is missing or empty */
  required(option: string): string
  optional(option: string): string | undefined
  /** Returns every value of a repeatable option, in the given order. */
  all(option: string): string[]
  flag(name: string): boolean
}

export interface Grammar {
  usage: string
  /** Options that take a value: `--name VALUE`. */
  options: readonly string[]
  /** Options that take a value and may be repeated. */
  repeatable?: readonly string[]
  flags?: readonly string[]
}

/**
 * Parses a command line. Texts are normalized to Unicode NFC.
 *
 * @throws UsageError, also for a card number in a text, because names are stored as they are
 */
export function readCommand(
  args: readonly string[],
  { usage, options, repeatable = [], flags = [] }: Grammar,
): Command {
  if (args.includes('--help')) throw new UsageError('', usage)
  const { values, positionals } = parse(args, { usage, options, repeatable, flags })
  const [verb, ...others] = positionals
  if (verb === undefined) throw new UsageError('A command is required.', usage)
  const wrong = Object.keys(values).find((option) => [values[option]].flat().some(isCardNumber))
  if (wrong !== undefined) throw new UsageError(`--${wrong} ${CARD_NUMBER_IN_TEXT}`, usage)
  if (others.length > 0) throw new UsageError(`Unexpected: ${others.join(' ')}`, usage)
  const optional = (option: string) => (values[option] as string | undefined)?.normalize('NFC')
  return {
    verb,
    optional,
    all: (option) => ((values[option] ?? []) as string[]).map((value) => value.normalize('NFC')),
    required(option) {
      const value = optional(option)
      if (!value) throw new UsageError(`--${option} is required`, usage)
      return value
    },
    flag: (name) => values[name] === true,
  }
}

const isCardNumber = (value: unknown) => typeof value === 'string' && holdsCardNumber(value)

function parse(args: readonly string[], { usage, options, repeatable, flags }: Required<Grammar>) {
  const known: Record<string, { type: 'string' | 'boolean'; multiple?: boolean }> = {}
  for (const option of options) known[option] = { type: 'string' }
  for (const option of repeatable) known[option] = { type: 'string', multiple: true }
  for (const flag of flags) known[flag] = { type: 'boolean' }
  try {
    return parseArgs({ args: [...args], options: known, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message, usage)
  }
}
