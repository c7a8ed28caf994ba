import { type LazyExoticComponent, lazy, type ReactNode } from 'react'
import { withTexts } from './texts.ts'

type Part<Props> = (props: Props) => ReactNode

/** A component that is loaded when it is first shown, together with its texts. Its place has a boundary of its own. */
export const lazyPart = <Props extends object>(
  load: () => Promise<{ default: Part<Props> }>,
): LazyExoticComponent<Part<Props>> => lazy(() => withTexts(load()))
