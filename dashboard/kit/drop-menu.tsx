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
  /** Button that opens the menu. */
  target: ReactElement<ComponentPropsWithRef<'button'>>
  /** Whether the menu closes when an item is chosen; `true` by default. */
  closeOnItemClick?: boolean
  /** Items, rendered while the menu is open. */
  children: ReactNode
}

/** A button with a menu. The menu is not mounted before the button is first hovered or focused. */
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
  /** Ref of the menu. */
  ref?: Ref<HTMLButtonElement>
}

/**
 * Registers the button with the menu. The button stays the same element, and so keeps the focus, when the menu is
 * mounted.
 */
function Target({ button, ref }: TargetProps) {
  useImperativeHandle(ref, () => button.current as HTMLButtonElement)
  return null
}
