import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { fill } from '../../contract/text.ts'
import { useAttempt } from '../kit/attempt.tsx'
import { CallError } from '../kit/call-error.ts'
import { DropMenu } from '../kit/drop-menu.tsx'
import { Icon } from '../kit/icons.tsx'
import { useMe } from '../kit/me.ts'
import { personCall } from '../kit/person-call.ts'
import { useTexts } from '../kit/texts.ts'
import { FRAME_TEXTS } from './frame-texts.ts'

/**
 * Signs out and leaves the program, so that nothing of the session stays in memory.
 *
 * @throws CallError if the session may still be valid
 */
async function signOut(): Promise<void> {
  await personCall('POST /dashboard/auth/sign-out', { isEntry: true }).catch((error: unknown) => {
    const isOut = error instanceof CallError && error.code === 'signed_out'
    if (!isOut) throw error
  })
  location.replace('/dashboard/sign-in')
}

export function AccountMenu() {
  const t = useTexts(FRAME_TEXTS)
  const { user } = useMe()
  const navigate = useNavigate()
  const attempt = useAttempt()
  return (
    <DropMenu
      position="bottom-end"
      target={
        <button type="button" className="top-button" aria-label={fill(t.account, { name: user.name })}>
          <Icon name="person" size={20} />
        </button>
      }
    >
      <Menu.Label>{user.email}</Menu.Label>
      <Menu.Item onClick={() => void navigate({ to: '/dashboard/account' })}>{t.accountPage}</Menu.Item>
      <Menu.Item onClick={() => void navigate({ to: '/dashboard' })}>{t.allBusinesses}</Menu.Item>
      <Menu.Divider />
      <Menu.Item onClick={() => attempt(signOut)}>{t.signOut}</Menu.Item>
    </DropMenu>
  )
}
