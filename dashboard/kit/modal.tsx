import { type DrawerProps, Drawer as MantineDrawer, Modal as MantineModal, type ModalProps } from '@mantine/core'
import { useFirstOpening } from './first-opening.ts'
import { useScrollLock } from './scroll-lock.ts'

/** A dialog over the page; nothing until it is first opened. */
export function Modal({ opened, ...rest }: ModalProps) {
  const { isMounted, isOpen } = useFirstOpening(opened, 2)
  useScrollLock(isOpen)
  return isMounted && <MantineModal opened={isOpen} removeScrollProps={NO_BAR} {...rest} />
}

/** The same at the edge of the window. */
export function Drawer({ opened, ...rest }: DrawerProps) {
  const { isMounted, isOpen } = useFirstOpening(opened, 2)
  useScrollLock(isOpen)
  return isMounted && <MantineDrawer opened={isOpen} removeScrollProps={NO_BAR} {...rest} />
}

/** The bar is ours (`useScrollLock`), the wheel and the finger are the kit's. */
const NO_BAR = { removeScrollBar: false }
