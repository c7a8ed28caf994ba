import { deepEqual } from 'node:assert/strict'
import { globSync } from 'node:fs'
import { describe, test } from 'node:test'
import { sources, text } from './tree.ts'

// The terms of the field, in names and in prose. docs/glossary.md explains them.

interface Word {
  /** Pattern to look for in each line. */
  word: RegExp
  instead: string
  /** Files to search; all if absent. */
  where?: RegExp
  /** Lines, or files, in which it is the right word. */
  except?: RegExp
}

const MONEY = /^(?:server|contract|bench)\/|^test\/(?:faults|simulation|spec|support|hostile)\//

const BANNED: Word[] = [
  {
    word: /(?<!all)settl/i,
    instead: 'finalize or resolve; only a batch is settled',
    except:
      /batch|p_settle|settlement|_sim\/settle|simulator\.settle|'settled?'|\bstate_settled\b|^server\/gateway\/|^docs\/(?:specification|glossary|reference\/events)/i,
  },
  { word: /[Ww]ish/, instead: 'intent, for a sale that is recorded; otherwise option or preference' },
  {
    word: /\b[Uu]nd(?:o|oes|one|id|oing)\b|[a-z]Und(?:o|one)\b|\bundo[A-Z]/,
    instead: 'reversal, reverse',
    where: MONEY,
    except: /pause|cancel/i,
  },
  { word: /(?<!\bin[ -])\bdoubts?\b|(?<![iI]n)Doubt/, instead: 'unknown outcome; only the state is IN_DOUBT' },
  {
    word: /\b[Aa]nswers?\b|[a-z]Answer|\b[Aa]nswer[A-Z]/,
    instead: 'response, of HTTP; result, of a gateway; respond, as a verb',
  },
  {
    word: /\bask[A-Z]|\b[Aa]sk(?:s|ed|ing)? (?:the |a |its )?gateway\b|\bgateway (?:is|was|be|been) asked\b/,
    instead: 'call, send, inquire or quote',
  },
  { word: /[Mm]ovements?\b(?! of money)/, instead: 'operation, ours; transaction, of the gateway' },
  { word: /\b[Ss]weep|[a-z]Sweep/, instead: 'reconcile written-off operations' },
  {
    word: /\bgiv(?:e|es|en|ing)[- ]up\b|\bgiv(?:e|en)Up/,
    instead: 'write off, for an operation; stop waiting, otherwise',
    where: /^server\/(?:payments|checkout|app)\/|^test\/(?:faults|simulation|support)\//,
  },
  { word: /\blook(?:s|ed|ing)?[_ -]?again/i, instead: 'next inquiry, nextInquiryAt' },
  { word: /errand|\bCarry\b|\bcarry(?:Into|Back)\b/i, instead: 'request, transport', except: /\bcarry\b/ },
  { word: /\bdialects?\b/i, instead: 'protocol', where: /^server\/gateway\// },
  { word: /\bjudg/i, instead: 'classify, detect', where: MONEY },
  { word: /\bbook(?:s|ed|ing)?\b|[a-z]Book/, instead: 'record', where: /^server\/gateway\// },
  { word: /obstacle/i, instead: 'reason' },
  { word: /whyNot|whatIsWrong/, instead: 'reason, describe, message' },
  { word: /\b[Hh]ears?\b|\b[Hh]eard\b/, instead: 'receives, is notified' },
  { word: /\bOpenSession\b/, instead: 'LoadedSession' },
  { word: /[Gg]ive-?[Bb]ack\b|\bgiven? back\b/, instead: 'refund, void', where: /^server\// },
  {
    word: /\b(?:useWalletToken|customerToMake|decidedBills|refuseWrong|joinRefunds?To|printedNumber)\b/,
    instead: 'consume, create, add, invoice number',
  },
  { word: /SubscriptionPayment\b/, instead: 'Payment', except: /(?:find|list|retrieve|require)Subscription/ },
  { word: /\b[Pp]atience\b|\bPATIENCE\b/, instead: 'timeouts' },
  { word: /brief[- ]?cache/i, instead: 'TTL cache' },
  { word: /payer_?network/i, instead: 'payerIpPrefix, payer_ip_prefix' },
  { word: /\bnameCustomer\b/, instead: 'identifyCustomer' },
  { word: /\blies down\b|\bgives way\b/i, instead: 'a verb that says what happens' },
  {
    word: /(?<!\bthere )\b(?:is|are|was|were|be) no (?!longer\b|more\b|less\b|fewer\b|later\b|earlier\b|such\b|way\b)[a-z]/i,
    instead: '"is not a", "does not"',
  },
  {
    word: /[«»]/,
    instead: 'straight quotes, or code ticks',
    except: /^payment-form\/messages\/(?:fr-CA|es)\.ts|\/(?:card-)?texts\/(?:fr-CA|es)\.ts/,
  },
  {
    word: /[ \u00a0\u202f][;!?](?=[ '])/,
    instead: 'it without the space, as Quebec does',
    where: /\/fr-CA\.ts$/,
    except: /^\/\//,
  },
]

/** A comment that has its noun in the name below it: `Of the page`. */
const FRAGMENT = /\/\*\*\s+(?:\* )?(?:Of|Those|That of|The ones)\b.*/g

const NOT_OURS = /^(?:browser-client\/released|sdk\/generated)\/|^server\/db\/tables\.ts$|package-lock\.json$/
/** Files that explain the words, or are written for the release. */
const EXPLAINS = ['test/tidy/words.test.ts', 'test/tidy/references.test.ts', 'CHANGELOG.md']
const files = globSync(
  [
    '{contract,server,payment-form,dashboard,browser-client,sdk,scripts,bench,test,examples,docs}/**/*.{ts,tsx,mjs,sql,md,css,html}',
    '*.md',
  ],
  { exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path) },
)
  .filter((file) => !NOT_OURS.test(file) && !EXPLAINS.includes(file))
  .sort()

const found = files.flatMap((file) =>
  text(file)
    .split('\n')
    .flatMap((line, index) =>
      BANNED.filter(
        ({ word, where = /^/, except = /$^/ }) =>
          where.test(file) && word.test(line) && !except.test(file) && !except.test(line),
      ).map((banned) => ({ file, banned, line: line.trim(), number: index + 1 })),
    ),
)

describe('words', () => {
  test("names and prose use the field's words", () => {
    const wrong = found.map(({ file, number, line, banned }) => `${file}:${number} say ${banned.instead}: ${line}`)
    deepEqual(wrong, [])
  })

  test('comments begin with what they are about', () => {
    const fragments = sources
      .filter((file) => !NOT_OURS.test(file))
      .flatMap((file) =>
        [...text(file).matchAll(FRAGMENT)].map(([found]) => `${file}: ${found.trim().replace(/\s+/g, ' ')}`),
      )
    deepEqual(fragments, [])
  })

  test('each banned word is found where it is written', () => {
    const samples = [
      'settled_at',
      'a wish',
      'newUndo',
      'the doubt',
      'the answer',
      'ApiAnswer',
      'askGateway',
      'the gateway is asked',
      'FoundMovement',
      'the sweep',
      'given up',
      'look_again_at',
      'errand',
      'dialect',
      'judged',
      'booked',
      'obstacle',
      'whyNot',
      'hears',
      'OpenSession',
      'giveBack',
      'useWalletToken',
      'NewSubscriptionPayment',
      'PATIENCE',
      'brief cache',
      'payer_network',
      'nameCustomer',
      'lies down',
      'is no UUID',
      '«x»',
      "'Vous partez ?'",
    ]
    deepEqual(
      samples.filter((sample) => !BANNED.some(({ word }) => word.test(sample))),
      [],
    )
  })
})
