import type { OAuthClient, OAuthClientWithSecret } from '../../../contract/dashboard/credentials-api.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { CREDENTIAL_TEXTS } from './texts/texts.ts'

export type Ending = 'end_tokens' | 'revoke'

interface NewSecretProps {
  client: OAuthClient
  onClose(): void
  onMade(made: OAuthClientWithSecret): void
}

export function NewSecretDialog({ client: { id, name }, onClose, onMade }: NewSecretProps) {
  const t = useTexts(CREDENTIAL_TEXTS)
  const call = useCall()
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.newSecretTitle, { name })}
      about={id}
      verb={t.newSecretVerb}
      tone="danger"
      isOnce
      onConfirm={async (key) => onMade(await call('POST /oauth_clients/{id}/rotate_secret', { params: { id }, key }))}
    >
      <p>{t.newSecretText}</p>
    </ConfirmDialog>
  )
}

interface EndClientProps {
  client: OAuthClient
  ending: Ending
  onClose(): void
}

export function EndClientDialog({ client: { id, name }, ending, onClose }: EndClientProps) {
  const t = useTexts(CREDENTIAL_TEXTS)
  const call = useCall()
  const invalidate = useInvalidate()
  const toast = useToast()
  const isRevoked = ending === 'revoke'
  async function end() {
    if (isRevoked) await call('POST /oauth_clients/{id}/revoke', { params: { id } })
    else await call('POST /oauth_clients/{id}/end_tokens', { params: { id } })
    toast(isRevoked ? t.clientRevoked : t.tokensEnded)
    await invalidate('GET /oauth_clients')
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(isRevoked ? t.revokeTitle : t.endTokensTitle, { name })}
      about={id}
      verb={isRevoked ? t.revokeClientVerb : t.endTokensVerb}
      tone="danger"
      onConfirm={end}
    >
      <p>{isRevoked ? t.revokeClientText : t.endTokensText}</p>
    </ConfirmDialog>
  )
}
