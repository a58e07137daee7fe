'use client';
import { X } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { ModalFrame } from '@/components/ui/modal-frame';
import { Brand } from './brand';
import { Navigation } from './navigation';

interface DrawerProps {
  open: boolean;
  onClose: () => void;
}

/** The phone's menu: slides in from the left; the page behind is locked and inert. */
export function Drawer({ open, onClose }: DrawerProps) {
  return (
    <ModalFrame
      open={open}
      onClose={onClose}
      label="Menu"
      className="h-dvh w-[min(17.5rem,84vw)] animate-drawer flex-col bg-canvas px-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))] text-ink shadow-float open:flex md:hidden"
    >
      <div className="mb-2 flex h-14 shrink-0 items-center justify-between pl-2.5">
        <Brand />
        <Button variant="ghost" iconOnly icon={X} iconSize={20} aria-label="Chiudi il menu" onClick={onClose} />
      </div>
      <Navigation touch onChoose={onClose} />
    </ModalFrame>
  );
}
