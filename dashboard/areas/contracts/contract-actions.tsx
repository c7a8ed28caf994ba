import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { ContractDetail } from '../../../contract/dashboard/contracts-api.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useMay } from '../../kit/me.ts'
import { useInvalidate } from '../../kit/read.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { LinkContract } from './link-contract.tsx'
import { CONTRACT_TEXTS } from './texts/texts.ts'

/** Actions that are possible in the contract's status. */
export function ContractActions({ contract }: { contract: ContractDetail }) {
  const { status, subscription } = contract
  if (!useMay('contracts.write') || status === 'signed' || status === 'void') return null
  return (
    <>
      <VoidContract contract={contract} />
      {subscription === null && <LinkContract contract={contract} />}
      {status === 'draft' ? <SendContract contract={contract} /> : <ResendContract contract={contract} />}
    </>
  )
}

interface ActionProps {
  verb: string
  title: string
  isMain?: boolean
  tone?: 'normal' | 'danger'
  children: ReactNode
  act(): Promise<unknown>
}

/** A button with its dialog; afterwards the contract is read again. */
function Action({ verb, title, isMain = false, tone = 'normal', children, act }: ActionProps) {
  const [isOpen, setOpen] = useState(false)
  const invalidate = useInvalidate()
  async function confirm() {
    await act()
    await invalidate('GET /contracts/{id}', 'GET /contracts', 'GET /customers/{id}')
  }
  return (
    <>
      <Button variant={isMain ? 'filled' : 'default'} onClick={() => setOpen(true)}>
        {verb}
      </Button>
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={title}
        verb={verb}
        tone={tone}
        onConfirm={confirm}
      >
        {children}
      </ConfirmDialog>
    </>
  )
}

function SendContract({ contract: { id, title, customer } }: { contract: ContractDetail }) {
  const t = useTexts(CONTRACT_TEXTS)
  const [call, toast] = [useCall(), useToast()]
  const { email } = customer
  async function send() {
    const { letter_to: to } = await call('POST /contracts/{id}/send', { params: { id } })
    toast(to === null ? t.sentNoLetter : fill(t.sentTo, { email: to }))
  }
  return (
    <Action verb={t.sendVerb} title={t.sendTitle} act={send} isMain>
      <p>{email === null ? fill(t.sendNoEmail, { title }) : fill(t.sendText, { email, title })}</p>
    </Action>
  )
}

function ResendContract({ contract: { id, customer } }: { contract: ContractDetail }) {
  const t = useTexts(CONTRACT_TEXTS)
  const [call, toast] = [useCall(), useToast()]
  const { email } = customer
  if (email === null) return null
  async function send() {
    await call('POST /contracts/{id}/resend', { params: { id } })
    toast(fill(t.sentTo, { email: email ?? '' }))
  }
  return (
    <Action verb={t.resendVerb} title={t.resendTitle} act={send}>
      <p>{fill(t.resendText, { email })}</p>
    </Action>
  )
}

function VoidContract({ contract: { id, title } }: { contract: ContractDetail }) {
  const t = useTexts(CONTRACT_TEXTS)
  const [call, toast] = [useCall(), useToast()]
  async function annul() {
    await call('POST /contracts/{id}/void', { params: { id } })
    toast(t.voided)
  }
  return (
    <Action verb={t.voidVerb} title={t.voidTitle} tone="danger" act={annul}>
      <p>{fill(t.voidText, { title })}</p>
    </Action>
  )
}
