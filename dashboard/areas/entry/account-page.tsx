import { businessPath, PathLink } from '../../kit/links.tsx'
import { useMe } from '../../kit/me.ts'
import { Page } from '../../kit/page.tsx'
import { Refusal } from '../../kit/refusal.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { useAccount } from './account.ts'
import { OwnAuditCard } from './own-audit-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { PersonCard } from './person-card.tsx'
import { RecoveryCard } from './recovery-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TEXTS } from './texts/texts.ts'
import { TotpCard } from './totp-card.tsx'

/** Links back to the businesses: the account is outside of every business. */
function BackLinks() {
  const t = useTexts(TEXTS)
  const { businesses } = useMe()
  return (
    <nav aria-label={t.businesses} className="back-links">
      {businesses.map(({ id, name }) => (
        <PathLink key={id} to={businessPath(id, 'home')}>
          {fill(t.backTo, { name })}
        </PathLink>
      ))}
    </nav>
  )
}

/** Name, appearance, factors and sessions of the person. */
export default function AccountPage() {
  const t = useTexts(TEXTS)
  const { data: account, error, refetch } = useAccount()
  return (
    <Page title={t.account}>
      <BackLinks />
      <Refusal error={error} onRetry={() => void refetch()} />
      {account && (
        <>
          <div className="cards">
            <PersonCard account={account} />
            <PasswordCard account={account} />
            <PasskeysCard account={account} />
            <TotpCard account={account} />
            <RecoveryCard account={account} />
          </div>
          <SessionsCard account={account} />
          <OwnAuditCard />
        </>
      )}
    </Page>
  )
}
