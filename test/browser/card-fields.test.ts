import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { describeInBrowser } from '../support/describe-in-browser.ts'

describeInBrowser('the card fields', ({ page, open }) => {
  const number = () => page.locator('#cardnumber')
  const value = (id: string) => page.inputValue(`#${id}`)
  const errorOf = (id: string) => page.textContent(`#${id}-error`)

  test('CAS-4: a number typed or pasted in any form is grouped and valid', async () => {
    for (const text of [
      CARDS.visa,
      '4242-4242-4242-4242',
      '4242\u00a04242\u00a04242\u00a04242',
      '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢',
    ]) {
      await open()
      await number().focus()
      await page.keyboard.insertText(text)
      await page.keyboard.press('Tab')
      assert.equal(await value('cardnumber'), '4242 4242 4242 4242')
      assert.equal(await errorOf('cardnumber'), '')
    }
  })

  test('PAG-130: what is pasted or filled in reaches the reading whole, in every field', async () => {
    const rows = [
      ['cardnumber', '  4242 - 4242 - 4242 - 4242  ', '4242 4242 4242 4242'],
      ['exp', '203112', '12 / 31'],
      ['exp', '12/2031', '12 / 31'],
      ['exp', '2031-12', '12 / 31'],
      ['exp', '  12  /  2031 ', '12 / 31'],
      ['exp', '٢٠٣١-١٢', '12 / 31'],
      ['cvc', '   123', '   123'],
      ['ccname', `${' '.repeat(50)}Ana Roy`, `${' '.repeat(50)}Ana Roy`],
      ['postal', '     H2X 1Y4     ', 'H2X 1Y4'],
    ] as const
    await open()
    if (await page.locator('#country').count()) await page.selectOption('#country', 'CA')
    for (const [id, text, shown] of rows) {
      for (const write of ['paste', 'fill'] as const) {
        await page.locator(`#${id}`).fill('')
        await page.locator(`#${id}`).focus()
        if (write === 'paste') await page.keyboard.insertText(text)
        else await page.locator(`#${id}`).fill(text)
        await page.keyboard.press('Tab')
        assert.deepEqual([await value(id), await errorOf(id)], [shown, ''], `${write} ${text}`)
      }
    }
    assert.equal(await page.locator('#payment-form [maxlength], #payment-form [pattern]').count(), 0)
  })

  test('PAG-131: a device that is years ahead or behind neither refuses a good card nor ends the session', async () => {
    for (const years of [-30, -3, 5, 40]) {
      await page.clock.install({ time: Date.now() + years * 365.25 * 86_400_000 })
      await open()
      await page.locator('#exp').fill('12/31')
      await page.clock.runFor(20_000)
      assert.equal(await errorOf('exp'), '', `${years} years`)
      await page.locator('#exp').blur()
      assert.equal(await errorOf('exp'), '', `${years} years`)
      assert.equal(await page.locator('#pay:visible').count(), 1)
      assert.equal(await page.textContent('#expiry-notice'), '')
    }
  })

  test('CAS-5: the caret stays in its place, and deleting over a gap deletes the digit beside it', async () => {
    await open()
    await number().pressSequentially('424242424242')
    await setCaret(2)
    await page.keyboard.type('9')
    assert.deepEqual(await caretAndValue(), [3, '4294 2424 2424 2'])
    await setCaret(5)
    await page.keyboard.press('Backspace')
    assert.deepEqual(await caretAndValue(), [3, '4292 4242 4242'])
    await setCaret(4)
    await page.keyboard.press('Delete')
    assert.deepEqual(await caretAndValue(), [4, '4292 2424 242'])
  })

  test('CAS-6: American Express has 4-6-5 digits, a code of four, its own picture and hint', async () => {
    await open()
    await number().pressSequentially(CARDS.amex)
    assert.equal(await value('cardnumber'), '3782 822463 10005')
    assert.equal(await page.textContent('#cvc-hint'), '4 digits on the front')
    assert.equal(await page.getAttribute('#detected-brand svg', 'aria-label'), 'American Express')
    assert.equal(await page.textContent('#log'), 'American Express card')
    await page.locator('#cvc').pressSequentially('123')
    await page.keyboard.press('Tab')
    assert.equal(await errorOf('cvc'), 'The security code has 4 digits.')
    await number().fill(CARDS.visa)
    assert.equal(await errorOf('cvc'), '')
  })

  test('CAS-7: a brand that is not accepted is named at the sixth digit, and no request is made', async () => {
    const opened = await open()
    await number().pressSequentially('35660')
    assert.equal(await errorOf('cardnumber'), '')
    await number().pressSequentially('0')
    assert.equal(await errorOf('cardnumber'), 'JCB is not accepted here. Use a different card.')
    await page.click('#pay')
    assert.equal(opened.posts.length, 0)
  })

  test('CAS-8: the expiry date is read in every form, and three kinds of wrong ones differ', async () => {
    await open()
    for (const good of ['1/31', '0131', '01/2031', '2031-01']) {
      await page.fill('#exp', good)
      await page.keyboard.press('Tab')
      assert.deepEqual([await value('exp'), await errorOf('exp')], ['01 / 31', ''])
    }
    const errors = new Set<string | null>()
    for (const bad of ['01/20', '13/31', '01/51']) {
      await page.fill('#exp', bad)
      await page.keyboard.press('Tab')
      errors.add(await errorOf('exp'))
    }
    assert.equal(errors.size, 3)
    assert.ok(!errors.has(''))
  })

  test('the slash writes itself, and can be deleted', async () => {
    await open()
    const expiry = page.locator('#exp')
    await expiry.pressSequentially('0431')
    assert.equal(await value('exp'), '04/31')
    for (let press = 0; press < 3; press++) await page.keyboard.press('Backspace')
    assert.equal(await value('exp'), '04')
  })

  test('CAS-9: an empty form lists all that is missing and stands in the first field', async () => {
    const opened = await open()
    await page.click('#pay')
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'cardnumber')
    assert.equal(await page.locator('#alert li').count(), 5)
    assert.match((await page.textContent('#alert')) ?? '', /^5 details need your attention:/)
    for (const id of ['cardnumber', 'exp', 'cvc', 'ccname', 'postal'])
      assert.equal(await page.getAttribute(`#${id}`, 'aria-invalid'), 'true')
    await page.click('#alert a[href="#ccname"]')
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'ccname')
    assert.equal(opened.posts.length, 0)
  })

  test('CAS-10: a mended field loses its error at once, the others keep theirs', async () => {
    await open()
    await page.click('#pay')
    await page.locator('#ccname').pressSequentially('An')
    assert.equal(await errorOf('ccname'), '')
    assert.equal(await page.locator('#alert li').count(), 4)
    assert.notEqual(await errorOf('exp'), '')
  })

  test('PAG-7: no error is shown while the value can still become right', async () => {
    await open()
    await number().pressSequentially('4242')
    assert.equal(await errorOf('cardnumber'), '')
    await page.keyboard.press('Tab')
    assert.equal(await errorOf('cardnumber'), 'Your card number is not complete.')
  })

  test('a card number in the name field is refused', async () => {
    await open()
    await page.fill('#ccname', '4242 4242 4242 4242')
    await page.keyboard.press('Tab')
    assert.match((await errorOf('ccname')) ?? '', /looks like a card number/)
  })

  test('CAS-35: names, autocomplete and keyboards are those that browsers and payers know', async () => {
    await open()
    const fields = await page.$$eval('#payment-form :is(input:not([type=hidden]), select)', (elements) =>
      elements.map((element) =>
        ['name', 'autocomplete', 'inputmode', 'maxlength', 'pattern'].map((name) => element.getAttribute(name)),
      ),
    )
    assert.deepEqual(fields, [
      ['cardnumber', 'cc-number', 'numeric', null, null],
      ['exp', 'cc-exp', 'numeric', null, null],
      ['cvc', 'cc-csc', 'numeric', null, null],
      ['ccname', 'cc-name', null, null, null],
      ['country', 'billing country', null, null, null],
      ['postal', 'billing postal-code', null, null, null],
    ])
  })

  test('CAS-36: what a browser fills in at one go is accepted', async () => {
    for (const expiry of ['04/31', '04/2031']) {
      await open()
      await page.evaluate(
        ([cardnumber, exp]) => {
          const values = { cardnumber, exp, cvc: '123', ccname: 'Ana Roy', postal: 'h2x1y4' }
          for (const [id, text] of Object.entries(values)) {
            const input = document.getElementById(id) as HTMLInputElement
            input.value = text
            for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }))
          }
        },
        [CARDS.visa, expiry] as const,
      )
      assert.deepEqual(
        [await value('cardnumber'), await value('exp'), await value('postal')],
        ['4242 4242 4242 4242', '04 / 31', 'H2X 1Y4'],
      )
    }
  })

  function setCaret(at: number) {
    return number().evaluate((input: HTMLInputElement, place) => input.setSelectionRange(place, place), at)
  }

  function caretAndValue() {
    return number().evaluate((input: HTMLInputElement) => [input.selectionStart, input.value])
  }
})
