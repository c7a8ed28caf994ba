/**
 * Keeps elements at least as high as they are now, so that nothing below them moves. Hidden elements are not changed.
 */
export function holdHeight(...elements: HTMLElement[]): void {
  const heights = elements.map((element) => element.getBoundingClientRect().height)
  for (const [index, element] of elements.entries())
    if (heights[index]) element.style.minBlockSize = `${heights[index]}px`
}

export function releaseHeight(...elements: HTMLElement[]): void {
  for (const element of elements) element.style.minBlockSize = ''
}
