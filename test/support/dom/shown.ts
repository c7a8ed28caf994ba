import type { DisplayRule } from './display-rules.ts'
import type { PageWindow } from './run-in-window.ts'

// Whether an element is shown, without a layout: from its own style, its attributes and the rules of the styles.

type Style = Record<string, string>

const BLOCKS =
  'address article aside blockquote body dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 ' +
  'h5 h6 header hr html legend li main menu nav ol optgroup option p pre search section summary ul'
const USUAL: Record<string, string> = {
  ...Object.fromEntries(BLOCKS.split(' ').map((name) => [name, 'block'])),
  ...Object.fromEntries(['button', 'input', 'meter', 'select', 'textarea'].map((name) => [name, 'inline-block'])),
  ...Object.fromEntries(
    ['head', 'link', 'meta', 'noscript', 'script', 'style', 'template', 'title', 'datalist'].map((name) => [
      name,
      'none',
    ]),
  ),
  ...{ caption: 'table-caption', table: 'table', tbody: 'table-row-group', thead: 'table-header-group' },
  ...{ tfoot: 'table-footer-group', tr: 'table-row', td: 'table-cell', th: 'table-cell' },
}
const LAST_CLASS = /\.([\w-]+)[^\s>+~.]*$/

interface Shown {
  styleOf(element: Element): Style
  isRendered(element: Element): boolean
}

/** The windows share the classes of elements. */
const windows = new WeakMap<object, Shown>()

/**
 * Replaces what depends on a layout in the window.
 *
 * @returns a number that increases with each change of the document
 */
export function showWithoutLayout(window: PageWindow, rules: DisplayRule[]): () => number {
  const index = indexOf(rules)
  let styles = new WeakMap<Element, Style>()
  let version = 0
  const observer = new window.MutationObserver(changed)
  observer.observe(window.document, { attributes: true, characterData: true, childList: true, subtree: true })
  function changed(): void {
    styles = new WeakMap()
    version++
  }
  function styleOf(element: Element): Style {
    // Changes since the last turn have not been reported yet.
    if (observer.takeRecords().length > 0) changed()
    const found = styles.get(element) ?? ofRules(element, index)
    styles.set(element, found)
    // Not kept: happy-dom does not report all changes of it.
    const own = element.getAttribute('style')
    return own === null ? found : { ...found, ...inline(own) }
  }
  windows.set(window, {
    styleOf,
    isRendered(element) {
      for (let one: Element | null = element; one; one = one.parentElement) {
        if (styleOf(one).display === 'none') return false
      }
      return element.isConnected
    },
  })
  window.getComputedStyle = ((element: Element, pseudo?: string) =>
    styleProxy(
      pseudo ? { content: 'none' } : { ...styleOf(element), visibility: visibilityOf(element, styleOf) },
    )) as never
  patchClasses(window)
  return () => version
}

const isRendered = (element: Element) =>
  windows.get(element.ownerDocument.defaultView as object)?.isRendered(element) ?? false

/** Visibility is inherited. */
function visibilityOf(element: Element, styleOf: Shown['styleOf']): string {
  for (let one: Element | null = element; one; one = one.parentElement) {
    const { visibility = 'inherit' } = styleOf(one)
    if (visibility !== 'inherit') return visibility
  }
  return 'visible'
}

function patchClasses(window: PageWindow): void {
  const { DOMRect } = window
  const rect = (isShown: boolean) => new DOMRect(0, 0, isShown ? 100 : 0, isShown ? 20 : 0)
  const patch = (prototype: object, members: Record<string, PropertyDescriptor>) => {
    for (const [name, member] of Object.entries(members))
      Object.defineProperty(prototype, name, { configurable: true, ...member })
  }
  patch(window.Element.prototype, {
    checkVisibility: { value: checkVisibility },
    getBoundingClientRect: { value: getBoundingClientRect },
  })
  patch(window.HTMLElement.prototype, { innerText: { get: getInnerText } })
  patch(window.Range.prototype, { getBoundingClientRect: { value: getRangeRect } })
  // A menu whose button is outside of the window is hidden.
  patch(window.HTMLHtmlElement.prototype, {
    clientWidth: { get: () => window.innerWidth },
    clientHeight: { get: () => window.innerHeight },
  })
  function checkVisibility(this: Element) {
    return isRendered(this)
  }
  function getBoundingClientRect(this: Element) {
    return rect(isRendered(this))
  }
  function getInnerText(this: Element) {
    return innerText(this)
  }
  function getRangeRect(this: Range) {
    const { startContainer: node } = this
    return rect(node.nodeType === node.ELEMENT_NODE ? isRendered(node as Element) : true)
  }
}

const BREAK = '\u2029'

/** Returns the text as it is shown, with a line for each block. */
export function innerText(element: Element): string {
  const shown = windows.get(element.ownerDocument.defaultView as object)
  if (!shown?.isRendered(element)) return element.textContent ?? ''
  return linesIn(element, shown, isPreformatted(element, shown))
    .replace(/ *\u2029[ \u2029]*/g, BREAK)
    .replace(/^[ \u2029]+|[ \u2029]+$/g, '')
    .replaceAll(BREAK, '\n')
}

function linesIn(element: Element, shown: Shown, isPre: boolean): string {
  const isFlex = /flex|grid/.test(shown.styleOf(element).display ?? '')
  return [...element.childNodes].map((node) => textOf(node, shown, isPre, isFlex)).join('')
}

function textOf(node: Node, shown: Shown, isPre: boolean, isItem: boolean): string {
  if (node.nodeType === node.TEXT_NODE)
    return isPre ? (node.textContent ?? '') : (node.textContent ?? '').replace(/\s+/g, ' ')
  if (node.nodeType !== node.ELEMENT_NODE) return ''
  const element = node as Element
  const { display = 'inline', 'white-space': space } = shown.styleOf(element)
  if (display === 'none' || element.localName === 'svg') return ''
  if (element.localName === 'br') return BREAK
  const text = linesIn(element, shown, space ? space.startsWith('pre') : isPre)
  if (display === 'table-cell') return element.nextElementSibling ? `${text}\t` : text
  const isBlock = isItem || !/^(?:inline|contents)/.test(display)
  return isBlock ? `${BREAK}${text}${BREAK}` : text
}

function isPreformatted(element: Element, { styleOf }: Shown): boolean {
  for (let one: Element | null = element; one; one = one.parentElement) {
    const space = styleOf(one)['white-space'] ?? (one.localName === 'pre' ? 'pre' : undefined)
    if (space) return space.startsWith('pre')
  }
  return false
}

interface Index {
  byClass: Map<string, [number, DisplayRule][]>
  others: [number, DisplayRule][]
}

function indexOf(rules: DisplayRule[]): Index {
  const index: Index = { byClass: new Map(), others: [] }
  for (const [order, rule] of rules.entries()) {
    for (const selector of rule.selector.split(/,(?![^(]*\))/)) {
      if (/::|:(?:hover|active|focus)/.test(selector)) continue
      const own: [number, DisplayRule] = [order, { ...rule, selector: selector.trim() }]
      const [, name] =
        selector
          .trim()
          .replace(/:where\(([^()]*)\)/g, '$1')
          .match(LAST_CLASS) ?? []
      if (name) index.byClass.set(name, [...(index.byClass.get(name) ?? []), own])
      else index.others.push(own)
    }
  }
  return index
}

function ofRules(element: Element, { byClass, others }: Index): Style {
  const style: Style = {
    display: element.hasAttribute('hidden') ? 'none' : (USUAL[element.localName] ?? 'inline'),
  }
  const own = [...element.classList].flatMap((name) => byClass.get(name) ?? [])
  for (const [, { selector, display, visibility, whiteSpace }] of [...own, ...others].sort(
    ([one], [other]) => one - other,
  )) {
    if (!matches(element, selector)) continue
    if (display) style.display = display
    if (visibility) style.visibility = visibility
    if (whiteSpace) style['white-space'] = whiteSpace
  }
  return style
}

function inline(text: string): Style {
  const pairs = [...text.matchAll(/([\w-]+):\s*([^;]+)/g)]
  return Object.fromEntries(pairs.map(([, name, value = '']) => [name, value.replace('!important', '').trim()]))
}

function matches(element: Element, selector: string): boolean {
  try {
    return element.matches(selector)
  } catch {
    // A selector that only browsers know.
    return false
  }
}

const INITIAL: Style = { position: 'static', overflow: 'visible', transform: 'none', opacity: '1', content: 'normal' }

const styleProxy = (style: Style) =>
  new Proxy(style, {
    get(_target, name) {
      const read = (key: string) => style[key] ?? style[key.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`)]
      if (name === 'getPropertyValue') return (key: string) => read(key) ?? ''
      return typeof name === 'string' ? (read(name) ?? INITIAL[name] ?? '') : undefined
    },
  })
