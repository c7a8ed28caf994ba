import { type LazyExoticComponent, lazy, type ReactNode } from 'react'
import { withTexts } from './texts.ts'

type Part<Props> = (props: Props) => ReactNode

/**
 * Returns a component that is loaded when it is first shown, together with its texts. It has its own suspense boundary.
 */
export const lazyPart = <Props extends object>(
  load: () => Promise<{ default: Part<Props> }>,
): LazyExoticComponent<Part<Props>> => lazy(() => withTexts(load()))
