import { plainDigits } from '../../contract/typed-card.ts'
import { type CardBrand, detectBrand } from '../fields/card-brands.ts'
import { digitsAllowed, groupCardNumber, isBrandRefused } from '../fields/card-number.ts'
import { recheckField, showFieldError } from './field-errors.ts'
import { announce, byId, fieldNamed, type Page, sentence } from './page.ts'

const SVG = 'http://www.w3.org/2000/svg'

/** Groups the digits during typing, preserves the position of the caret, and shows the brand. */
export function enhanceCardNumber(page: Page): void {
  const input = fieldNamed(page, 'cardnumber')
  if (!(input instanceof HTMLInputElement)) return
  let digits = plainDigits(input.value)
  let brand: CardBrand | null = null
  input.addEventListener('input', (event) => {
    const caret = input.selectionStart ?? input.value.length
    const edit = readEdit(input.value, caret, digits, (event as InputEvent).inputType ?? '')
    digits = edit.digits
    showDigits(input, edit)
    if (detectBrand(digits) !== brand) {
      brand = detectBrand(digits)
      showBrand(page, brand)
    }
    if (isBrandRefused(digits, page.data.brands))
      showFieldError(input, sentence(page, 'card_brand_not_accepted', { brand: brand?.name ?? '' }))
  })
}

interface Edit {
  digits: string
  /** Number of digits before the caret. */
  before: number
}

/** Returns the digits after an edit. An edit that only deleted a gap deletes the digit beside it. */
function readEdit(value: string, caret: number, former: string, inputType: string): Edit {
  const typedDigits = plainDigits(value)
  const digits = typedDigits.slice(0, digitsAllowed(typedDigits))
  const before = plainDigits(value.slice(0, caret)).length
  const deletedGap = inputType.startsWith('deleteContent') && digits === former
  if (!deletedGap) return { digits, before: Math.min(before, digits.length) }
  const at = inputType === 'deleteContentForward' ? before : before - 1
  return { digits: digits.slice(0, Math.max(at, 0)) + digits.slice(at + 1), before: Math.max(at, 0) }
}

function showDigits(input: HTMLInputElement, { digits, before }: Edit): void {
  const grouped = groupCardNumber(digits)
  input.value = grouped
  if (document.activeElement !== input) return
  let caret = 0
  for (let seen = 0; seen < before; caret++) if (grouped[caret] !== ' ') seen++
  input.setSelectionRange(caret, caret)
}

function showBrand(page: Page, brand: CardBrand | null): void {
  byId('detected-brand').replaceChildren(...(brand ? [brandIcon(brand)] : []))
  document.getElementById('accepted-brands')?.toggleAttribute('data-detected', brand !== null)
  if (brand) announce(page, sentence(page, 'brand_detected', { brand: brand.name }))
  showCodeHint(page, brand)
}

function brandIcon(brand: CardBrand): SVGElement {
  const picture = document.createElementNS(SVG, 'svg')
  const use = document.createElementNS(SVG, 'use')
  picture.setAttribute('class', 'brand')
  picture.setAttribute('role', 'img')
  picture.setAttribute('aria-label', brand.name)
  use.setAttribute('href', `#brand-${brand.id}`)
  picture.append(use)
  return picture
}

function showCodeHint(page: Page, brand: CardBrand | null): void {
  const code = fieldNamed(page, 'cvc')
  if (!(code instanceof HTMLInputElement)) return
  byId('cvc-hint').textContent = sentence(page, brand?.codeLength === 4 ? 'security_code_front' : 'security_code_back')
  if (code.value !== '') recheckField(page, code)
}
