import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { EditedPrice } from '../../../contract/dashboard/catalog-api.ts'
import { fill } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { Fields } from '../../kit/detail.tsx'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { currentOf, useEdited } from '../../kit/edited.ts'
import { Meanwhile } from '../../kit/meanwhile.tsx'
import { AmountField, useMoney } from '../../kit/money.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import { Day } from '../../kit/time.tsx'
import { FREQUENCIES, type FrequencyName, frequencyOf, recurringOf } from './cadence.ts'
import { TEXTS } from './texts/texts.ts'

interface NewPriceDialogProps {
  opened: boolean
  onClose(): void
  productId: string
}

const NICKNAME_MAX = 255
const OFFERED = [...FREQUENCIES.map(({ name }) => name), 'once' as const]
const EMPTY = { amount: null as number | null, frequency: 'monthly' as FrequencyName, nickname: '' }

/** Creates a price, and shows the bills of a subscription that begins today. */
export function NewPriceDialog({ opened, onClose, productId }: NewPriceDialogProps) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const call = useCall()
  const invalidate = useInvalidate()
  const [{ amount, frequency, nickname }, setFields] = useState(EMPTY)
  useEffect(() => {
    if (opened) setFields(EMPTY)
  }, [opened])
  const set = (changed: Partial<typeof EMPTY>) => setFields({ amount, frequency, nickname, ...changed })
  async function create() {
    const recurring = recurringOf(frequency)
    await call('POST /prices', {
      body: {
        product: productId,
        unit_amount: amount ?? 0,
        ...(recurring && { recurring }),
        ...(nickname !== '' && { nickname }),
      },
    })
    await invalidate('GET /products/{id}', 'GET /products')
  }
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t.newPrice}
      verb={amount ? fill(t.createPriceOf, { amount: money(amount) }) : t.createPrice}
      disabled={!amount}
      onConfirm={create}
    >
      <AmountField
        label={t.amount}
        required
        data-autofocus
        value={amount}
        onChange={(cents) => set({ amount: cents })}
      />
      <Select
        label={t.frequency}
        allowDeselect={false}
        data={OFFERED.map((name) => ({ value: name, label: t[name] }))}
        value={frequency}
        onChange={(name) => set({ frequency: (name ?? 'once') as FrequencyName })}
      />
      <NicknameField value={nickname} onChange={(text) => set({ nickname: text })} />
      {opened && <NextDates frequency={frequency} />}
    </ConfirmDialog>
  )
}

/** The first bills, computed by the same function as real bills. */
function NextDates({ frequency }: { frequency: FrequencyName }) {
  const t = useTexts(TEXTS)
  const call = useCall()
  const recurring = recurringOf(frequency)
  const { data } = useQuery({
    queryKey: ['POST /prices/preview', frequency],
    queryFn: () => call('POST /prices/preview', { body: recurring ? { recurring } : {} }),
  })
  if (!recurring) return <p>{t.nextDatesOnce}</p>
  return (
    <div aria-live="polite">
      <div className="label">{t.nextDates}</div>
      <ul className="dates">
        {data?.dates.map((day) => (
          <li key={day}>
            <Day of={day} style="full" />
          </li>
        ))}
      </ul>
    </div>
  )
}

function NicknameField({ value, onChange }: { value: string; onChange(text: string): void }) {
  const t = useTexts(TEXTS)
  return (
    <TextInput
      label={t.nickname}
      description={t.nicknameNote}
      maxLength={NICKNAME_MAX}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

interface EditPriceDialogProps {
  price: EditedPrice
  onClose(): void
}

const draftOf = ({ nickname }: EditedPrice) => ({ nickname: nickname ?? '' })

/** Changes the nickname; amount and frequency are shown as fixed. */
export function EditPriceDialog({ price, onClose }: EditPriceDialogProps) {
  const t = useTexts(TEXTS)
  const [money, call, invalidate] = [useMoney(), useCall(), useInvalidate()]
  const { base, draft, setDraft, changed, commit } = useEdited(price, draftOf)
  const { id } = price
  async function save() {
    const body = { version: base.version, nickname: draft.nickname === '' ? null : draft.nickname }
    try {
      await commit(() => call('PATCH /prices/{id}', { params: { id }, body }))
    } finally {
      await invalidate('GET /products/{id}')
    }
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.editPrice}
      about={id}
      verb={t.save}
      onConfirm={save}
      refusalOf={(error) => (currentOf(error) ? '' : null)}
    >
      <Meanwhile changes={changed?.map((name) => [t[name], draftOf(base)[name]])} />
      <Fields
        items={[
          [t.amount, money(price.unit_amount)],
          [t.frequency, frequencyOf(price.recurring, t)],
        ]}
      />
      <p>{t.fixedNote}</p>
      <NicknameField value={draft.nickname} onChange={(nickname) => setDraft({ nickname })} />
    </ConfirmDialog>
  )
}
