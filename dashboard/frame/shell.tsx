import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { Icon } from '../kit/icons.tsx'
import { HelpLink, PathLink } from '../kit/links.tsx'
import { useMaybeBusiness, useMe } from '../kit/me.ts'
import { Drawer } from '../kit/modal.tsx'
import { useTexts } from '../kit/texts.ts'
import { AccountMenu } from './account-menu.tsx'
import { AlertsLink } from './alerts-link.tsx'
import { BusinessMenu } from './business-menu.tsx'
import { FRAME_TEXTS } from './frame-texts.ts'
import { IdleDialog } from './idle-dialog.tsx'
import { SearchBox } from './search-box.tsx'

interface ShellProps {
  navigation?: ReactNode
  notices?: ReactNode
  children: ReactNode
}

/** The frame around a page: skip link, header, navigation, content. */
export function Shell({ navigation, notices, children }: ShellProps) {
  const t = useTexts(FRAME_TEXTS)
  const { environment } = useMe()
  const [isOpen, setOpen] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setOpen(false), [path])
  useEffect(() => {
    document.documentElement.dataset.environment = environment
  }, [environment])
  return (
    <div className="shell" data-environment={environment}>
      <a className="skip" href="#content">
        {t.skip}
      </a>
      <IdleDialog />
      <Top {...(navigation ? { onMenu: () => setOpen(true) } : {})} />
      {notices}
      <div className="shell-body">
        {navigation && (
          <nav className="side" aria-label={t.navigation}>
            {navigation}
          </nav>
        )}
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      {navigation && (
        <Drawer
          opened={isOpen}
          onClose={() => setOpen(false)}
          title={t.navigation}
          size={290}
          closeButtonProps={{ 'aria-label': t.closeMenu }}
        >
          {navigation}
        </Drawer>
      )}
    </div>
  )
}

function Top({ onMenu }: { onMenu?: () => void }) {
  const t = useTexts(FRAME_TEXTS)
  const hasBusiness = useMaybeBusiness() !== null
  const { environment } = useMe()
  return (
    <header className="top">
      {onMenu && (
        <button type="button" className="top-button menu-button" aria-label={t.openMenu} onClick={onMenu}>
          <Icon name="menu" size={20} />
        </button>
      )}
      <PathLink to="/dashboard" className="brand">
        Rialto
      </PathLink>
      <BusinessMenu />
      <span className="environment">{t[environment]}</span>
      {hasBusiness && <SearchBox />}
      <div className="top-end">
        {hasBusiness && <AlertsLink />}
        <HelpLink className="top-button" aria-label={t.help} title={t.help}>
          <Icon name="help" size={20} />
        </HelpLink>
        <AccountMenu />
      </div>
    </header>
  )
}
