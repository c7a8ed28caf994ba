import { Page } from '../../kit/page.tsx'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { useAccount } from './account.ts'
import { OwnAuditCard } from './own-audit-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { PersonCard } from './person-card.tsx'
import { RecoveryCard } from './recovery-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TEXTS } from './texts/texts.ts'
import { TotpCard } from './totp-card.tsx'

/** Name, look, factors and sessions of the person. */
export default function AccountPage() {
  const t = useTexts(TEXTS)
  const { data: account, error, refetch } = useAccount()
  return (
    <Page title={t.account}>
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
