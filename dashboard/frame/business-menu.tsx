import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { fill } from '../../contract/text.ts'
import { DropMenu } from '../kit/drop-menu.tsx'
import { Icon } from '../kit/icons.tsx'
import { businessPath } from '../kit/links.tsx'
import { useMaybeBusiness, useMe } from '../kit/me.ts'
import { useTexts } from '../kit/texts.ts'
import { FRAME_TEXTS } from './frame-texts.ts'

/** Menu of the person's other businesses. */
export function BusinessMenu() {
  const t = useTexts(FRAME_TEXTS)
  const { businesses } = useMe()
  const business = useMaybeBusiness()
  const navigate = useNavigate()
  if (!business) return null
  if (businesses.length === 1) return <span className="business-name">{business.name}</span>
  return (
    <DropMenu
      position="bottom-start"
      target={
        <button
          type="button"
          className="top-button business-name"
          aria-label={fill(t.switchBusiness, business as never)}
        >
          <span>{business.name}</span> <Icon name="down" />
        </button>
      }
    >
      {businesses.map(({ id, name }) => (
        <Menu.Item
          key={id}
          aria-current={id === business.id ? 'true' : undefined}
          onClick={() => void navigate({ to: businessPath(id, 'home') })}
        >
          {name}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item onClick={() => void navigate({ to: '/dashboard' })}>{t.allBusinesses}</Menu.Item>
    </DropMenu>
  )
}
