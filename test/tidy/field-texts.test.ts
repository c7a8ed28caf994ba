import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deliveryErrorIn } from '../../dashboard/kit/delivery-texts/delivery-texts.ts'
import { es as esDeliveries } from '../../dashboard/kit/delivery-texts/es.ts'
import { frCA as frDeliveries } from '../../dashboard/kit/delivery-texts/fr-CA.ts'
import { es } from '../../dashboard/kit/field-texts/es.ts'
import { translated } from '../../dashboard/kit/field-texts/field-texts.ts'
import { frCA } from '../../dashboard/kit/field-texts/fr-CA.ts'
import { product, stringsOf } from './tree.ts'

/** Calls that no page of the dashboard uses. */
const OTHERS =
  /command|config|^server\/(checkout|google-pay|three-d-secure|db|vault|gateway|serve|jobs)\/|^server\/emails\/(pdf|compose)\/|openapi|tokens\/|master-key|resume-key|refunds\/refund-routes/
const VIOLATION =
  /^(must |is (already|detached|for|in|missing|not (a|active|the|valid)|of|paid|registered|required|taken|too)|has (an|expired|no)|cannot |does not exist|needs |choose |belongs |there are \{)/
const NOT_OF_A_FIELD: ReadonlySet<string> = new Set([
  'must be 1 to 255 visible ASCII characters',
  'must be a ddd_session_id: ddd_ and a UUID',
  'must be an existing file',
  'must be the first 6 to 8 digits of a card number',
])

describe('What the service says of a field', () => {
  const texts = product
    .filter((file) => file.startsWith('server/') && !OTHERS.test(file))
    .flatMap((file) => stringsOf(file).map(({ value }) => value))
    // A schema's own message is translated by its type.
    .filter((text) => VIOLATION.test(text) && text !== 'must be {}' && !NOT_OF_A_FIELD.has(text))
  const filled = (text: string) => text.replaceAll('\\`', '`').replaceAll('{}', 'x1')

  for (const [name, catalogue] of Object.entries({ 'fr-CA': frCA, es }))
    test(`is known in ${name} (DSH-23)`, () => {
      const unknown = texts.filter((text) => translated(catalogue, 'field', filled(text)) === filled(text))
      deepEqual([...new Set(unknown)], [])
    })

  test('keeps what differs, and says two things of one field', () => {
    equal(translated(frCA, 'amount', 'amount must be at least 0.01'), 'doit être d’au moins 0.01')
    equal(
      translated(es, 'name', 'must not be empty; must have at most 255 characters'),
      'no debe estar vacío; debe tener como máximo 255 caracteres',
    )
    equal(translated(es, 'name', 'begins with a beer'), 'begins with a beer')
    deepEqual(Object.keys(es), Object.keys(frCA))
  })
})

describe('Why a delivery got no response', () => {
  const SENTENCE = /^(The|No) [a-z]/
  const files = ['server/events/delivery/describe-failure.ts', 'server/events/delivery/post-webhook.ts']
  const texts = [...new Set(files.flatMap((file) => stringsOf(file).map(({ value }) => value)))]
    .filter((text) => SENTENCE.test(text))
    .map((text) => text.replace('{}', 'EPROTO'))

  for (const [name, catalogue] of Object.entries({ 'fr-CA': frDeliveries, es: esDeliveries }))
    test(`is known in ${name} (DSH-23)`, () => {
      deepEqual(
        texts.filter((text) => deliveryErrorIn(catalogue, text) === text),
        [],
      )
      deepEqual(texts.length, Object.keys(catalogue).length)
    })
})
