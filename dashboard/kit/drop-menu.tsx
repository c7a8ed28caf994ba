import { Menu } from '@mantine/core'
import {
  type ComponentPropsWithRef,
  cloneElement,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefObject,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { useFirstOpening } from './first-opening.ts'

interface DropMenuProps {
  position: 'bottom-start' | 'bottom-end'
  /** The button that opens it. */
  target: ReactElement<ComponentPropsWithRef<'button'>>
  /** Whether it closes when an item is chosen; it does unless given. */
  closeOnItemClick?: boolean
  /** Its items; rendered while it is open. */
  children: ReactNode
}

/** A button with a menu. Until its button is first pointed at or has the focus, only that is there. */
export function DropMenu({ position, target, closeOnItemClick = true, children }: DropMenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  const { isMounted, isOpen, prepare } = useFirstOpening(opened, 1)
  return (
    <>
      {cloneElement(target, {
        id,
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': opened,
        'aria-controls': opened ? `${id}-dropdown` : undefined,
        onPointerEnter: prepare,
        onFocus: prepare,
        onClick: () => setOpened(!opened),
      })}
      {isMounted && (
        <Menu id={id} opened={isOpen} onChange={setOpened} {...{ position, closeOnItemClick }}>
          <Menu.Target>
            <Target button={button} />
          </Menu.Target>
          <Menu.Dropdown>{children}</Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}

interface TargetProps {
  button: RefObject<HTMLButtonElement | null>
  /** Of the menu. */
  ref?: Ref<HTMLButtonElement>
}

/** Tells the menu of the button, which stays the same element, and so keeps the focus, when the menu is mounted. */
function Target({ button, ref }: TargetProps) {
  useImperativeHandle(ref, () => button.current as HTMLButtonElement)
  return null
}
