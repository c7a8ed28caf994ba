import { type DrawerProps, Drawer as MantineDrawer, Modal as MantineModal, type ModalProps } from '@mantine/core'
import { useFirstOpening } from './first-opening.ts'
import { useScrollLock } from './scroll-lock.ts'

/** A dialog over the page; not mounted until it is first opened. */
export function Modal({ opened, ...rest }: ModalProps) {
  const { isMounted, isOpen } = useFirstOpening(opened, 2)
  useScrollLock(isOpen)
  return isMounted && <MantineModal opened={isOpen} removeScrollProps={NO_BAR} {...rest} />
}

/** A drawer at the edge of the window; not mounted until it is first opened. */
export function Drawer({ opened, ...rest }: DrawerProps) {
  const { isMounted, isOpen } = useFirstOpening(opened, 2)
  useScrollLock(isOpen)
  return isMounted && <MantineDrawer opened={isOpen} removeScrollProps={NO_BAR} {...rest} />
}

/** `useScrollLock` handles the scroll bar; the kit handles wheel and touch. */
const NO_BAR = { removeScrollBar: false }
