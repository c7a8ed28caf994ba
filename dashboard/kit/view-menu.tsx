import { Button, Checkbox, Menu, TextInput } from '@mantine/core'
import { memo, useState } from 'react'
import type { SavedView, ViewList } from '../../contract/dashboard/views-api.ts'
import { fill } from '../../contract/text.ts'
import { useAttempt } from './attempt.tsx'
import { useCall } from './call.ts'
import { ConfirmDialog, useUndo } from './dialog.tsx'
import { DropMenu } from './drop-menu.tsx'
import { type Filter, membersOf, useFilters } from './filters.ts'
import { Icon } from './icons.tsx'
import { KIT_TEXTS } from './kit-texts.ts'
import { useInvalidate, useRead } from './read.ts'
import { useTexts } from './texts.ts'

interface ViewMenuProps {
  list: ViewList
  filters: Filter[]
  columns: { id: string }[]
  hidden: ReadonlySet<string>
  onHidden(hidden: ReadonlySet<string>): void
}

/** Saved filters and columns: the person's own views, and those that others share. */
export const ViewMenu = memo(function ViewMenu({ list, filters, columns, hidden, onHidden }: ViewMenuProps) {
  const t = useTexts(KIT_TEXTS)
  const [isSaving, setSaving] = useState(false)
  const close = () => setSaving(false)
  return (
    <>
      <DropMenu
        position="bottom-end"
        target={
          <Button variant="default" size="sm">
            {t.views}
          </Button>
        }
      >
        <Views {...{ list, filters, columns, onHidden }} />
        <Menu.Divider />
        <Menu.Item onClick={() => setSaving(true)}>{t.saveView}</Menu.Item>
      </DropMenu>
      <SaveView {...{ list, filters, columns, hidden }} opened={isSaving} onClose={close} />
    </>
  )
})

/** Views, which are read when the menu opens. */
function Views({ list, filters, columns, onHidden }: Omit<ViewMenuProps, 'hidden'>) {
  const t = useTexts(KIT_TEXTS)
  const [, change] = useFilters()
  const { data } = useRead('GET /views', { query: { list } })
  const apply = (view: SavedView) => {
    const cleared = Object.fromEntries(filters.flatMap(membersOf).map((member) => [member, '']))
    void change({ ...cleared, ...view.query })
    const shown = view.columns
    if (shown) onHidden(new Set(columns.flatMap(({ id }) => (shown.includes(id) ? [] : [id]))))
  }
  return (
    <>
      {data?.data.length === 0 && <Menu.Label>{t.noViews}</Menu.Label>}
      {data?.data.map((view) => (
        <ViewItems key={view.id} view={view} onApply={() => apply(view)} />
      ))}
    </>
  )
}

function ViewItems({ view, onApply }: { view: SavedView; onApply(): void }) {
  const t = useTexts(KIT_TEXTS)
  const call = useCall()
  const invalidate = useInvalidate()
  const offer = useUndo()
  const attempt = useAttempt()
  const remove = async () => {
    const { id, list, name, query, columns, is_shared } = view
    await call('DELETE /views/{id}', { params: { id } })
    await invalidate('GET /views')
    offer(t.viewDeleted, async () => {
      await call('POST /views', { body: { list, name, query, columns, is_shared } })
      await invalidate('GET /views')
    })
  }
  return (
    <>
      <Menu.Item onClick={onApply}>{view.name}</Menu.Item>
      {view.is_own && (
        <Menu.Item
          aria-label={fill(t.viewDelete, { name: view.name })}
          leftSection={<Icon name="bad" size={14} />}
          onClick={() => attempt(remove)}
        >
          {fill(t.viewDelete, { name: view.name })}
        </Menu.Item>
      )}
    </>
  )
}

interface SaveViewProps extends Omit<ViewMenuProps, 'onHidden'> {
  opened: boolean
  onClose(): void
}

function SaveView({ list, filters, columns, hidden, opened, onClose }: SaveViewProps) {
  const t = useTexts(KIT_TEXTS)
  const call = useCall()
  const invalidate = useInvalidate()
  const offer = useUndo()
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  const [values] = useFilters()
  const save = async (key: string) => {
    const members = filters.flatMap(membersOf)
    const query = Object.fromEntries(Object.entries(values).filter(([member]) => members.includes(member)))
    const shown = columns.flatMap(({ id }) => (hidden.has(id) ? [] : [id]))
    const body = { list, name, query, columns: shown, is_shared: isShared }
    const { id } = await call('POST /views', { body, key })
    await invalidate('GET /views')
    offer(t.viewSaved, async () => {
      await call('DELETE /views/{id}', { params: { id } })
      await invalidate('GET /views')
    })
  }
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t.saveView}
      verb={t.save}
      disabled={name.trim() === ''}
      onConfirm={save}
    >
      <TextInput
        label={t.viewName}
        data-autofocus
        maxLength={60}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Checkbox
        label={t.viewShared}
        checked={isShared}
        onChange={({ currentTarget }) => setShared(currentTarget.checked)}
      />
    </ConfirmDialog>
  )
}
