/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What drivers/iommu/dma-iommu.c needs besides: atomics, timers, lists, and just enough of devices and IOMMU domains. */
#ifndef IOMC_DMA_H
#define IOMC_DMA_H

/* ---- atomics: each access is a point ------------------------------------------------------------------------ */

typedef struct { int counter; } atomic_t;
typedef struct { s64 counter; } atomic64_t;

#define iomc_read(v) (iomc_point(iomc_at_read, (v)), (v)->counter)
#define iomc_write(v, value) do { iomc_point(iomc_at_write, (v)); (v)->counter = (value); } while (0)
#define atomic_read(v) iomc_read(v)
#define atomic_set(v, i) iomc_write(v, i)
#define atomic64_read(v) iomc_read(v)
#define atomic64_set(v, i) iomc_write(v, i)
#define atomic64_inc(v) iomc_write(v, (v)->counter + 1)
#define atomic_xchg(v, n) ({ iomc_point(iomc_at_write, (v)); int old_ = (v)->counter; (v)->counter = (n); old_; })

/* ---- lists -------------------------------------------------------------------------------------------------- */

struct list_head { struct list_head *next, *prev; };
#define LIST_HEAD(name) struct list_head name = { &(name), &(name) }
#define INIT_LIST_HEAD(h) ((h)->next = (h)->prev = (h))
#define list_empty(h) ((h)->next == (h))
#define list_splice(from, to) ((void)(from), (void)(to))
#define list_add(n, h) ((n)->next = (h)->next, (n)->prev = (h), (h)->next->prev = (n), (h)->next = (n))
#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_for_each_entry(pos, h, member) \
	for ((pos) = list_entry((h)->next, typeof(*(pos)), member); &(pos)->member != (h); \
	     (pos) = list_entry((pos)->member.next, typeof(*(pos)), member))
#define list_for_each_entry_safe(pos, n, h, member) \
	for ((pos) = list_entry((h)->next, typeof(*(pos)), member), \
	    (n) = list_entry((pos)->member.next, typeof(*(pos)), member); \
	     &(pos)->member != (h); (pos) = (n), (n) = list_entry((n)->member.next, typeof(*(n)), member))

/* ---- timers ------------------------------------------------------------------------------------------------- */

struct timer_list { void (*function)(struct timer_list *); bool pending; };
#define timer_setup(t, f, flags) ((t)->function = (f), (t)->pending = false)
#define from_timer(var, t, member) container_of(t, typeof(*(var)), member)
#define jiffies 0UL
#define mod_timer(t, expires) do { (void)(expires); iomc_point(iomc_at_timer, (t)); (t)->pending = true; } while (0)
#define del_timer_sync(t) do { (t)->pending = false; iomc_point(iomc_at_stopped, (t)); } while (0)
#define timer_delete_sync(t) del_timer_sync(t)

/* ---- memory ------------------------------------------------------------------------------------------------- */

#define CONFIG_IOMMU_DMA 1
#define ENXIO 6
#define EREMOTEIO 121
#define EOVERFLOW 75
#define DMA_F_PCI_P2PDMA_SUPPORTED 1
#define dma_common_alloc_pages NULL
#define dma_common_free_pages NULL
#define MAX_PAGE_ORDER 10
#define MAX_ORDER 11
#define PAGE_KERNEL 0
#define VM_MAP 4
struct page { unsigned long flags; };
struct vm_struct;
struct vm_area_struct { unsigned long vm_start, vm_end, vm_pgoff; unsigned vm_page_prot; };
typedef unsigned long pgprot_t;
struct sg_table { struct scatterlist *sgl; unsigned nents, orig_nents; };
struct scatterlist { unsigned length, dma_length, offset; dma_addr_t dma_address; };
#define sg_dma_len(sg) ((sg)->dma_length)
#define sg_dma_address(sg) ((sg)->dma_address)
#define PAGE_SHIFT 12
#define PAGE_MASK (~(PAGE_SIZE - 1))
#define PAGE_ALIGN(x) ALIGN(x, PAGE_SIZE)
#define PHYS_ADDR_MAX (~0ULL)
#define U32_MAX (~0U)
#define __GFP_HIGHMEM 8U
#define __GFP_COMP 16U
#define __GFP_NORETRY 32U
#define __GFP_DMA 64U
#define __GFP_DMA32 128U
#define __GFP_ZERO 256U
#define struct_size(p, member, n) (sizeof(*(p)) + (n) * sizeof((p)->member[0]))
#define vmalloc(size) malloc(size)
#define vfree(p) free(p)

/* ---- devices ------------------------------------------------------------------------------------------------ */

enum dma_data_direction { DMA_BIDIRECTIONAL, DMA_TO_DEVICE, DMA_FROM_DEVICE, DMA_NONE };
struct bus_dma_region { phys_addr_t cpu_start; dma_addr_t dma_start; u64 size; u64 offset; };
struct dev_iommu { bool pci_32bit_workaround; bool shadow_on_flush; bool require_direct; };
struct bus_type { int unused; };
struct iommu_group;
struct iommu_domain;
struct device {
	u64 bus_dma_limit;
	u64 coherent_dma_mask;
	u64 *dma_mask;
	const struct bus_dma_region *dma_range_map;
	struct dev_iommu *iommu;
	struct iommu_domain *iomc_domain;
	const void *dma_ops;
	bool dma_iommu;
	bool iomc_pci;
	unsigned iomc_notices;
	void *iommu_group;
	const struct bus_type *bus;
	struct { void *fwnode; } *of_node;
	struct { struct iommu_fwspec *fwspec; void *fwnode; } unused;
};
struct resource { u64 start, end, flags; };
struct resource_entry { struct list_head node; struct resource *res; u64 offset; };
#define resource_list_for_each_entry(entry, list) list_for_each_entry(entry, list, node)
struct pci_host_bridge { struct list_head windows, dma_ranges; struct device dev; };
struct pci_bus { struct pci_bus *parent; struct pci_host_bridge *bridge; };
struct pci_dev { struct device dev; struct pci_bus *bus; bool untrusted; };
#define dev_is_pci(d) ((d)->iomc_pci)
#define to_pci_dev(d) container_of(d, struct pci_dev, dev)
#define dev_notice(d, ...) do { ++(d)->iomc_notices; } while (0)
#define dev_err(d, ...) ((void)(d))
#define dev_warn(d, ...) ((void)(d))
#define pr_warn_once(...) do { } while (0)
#define DMA_MAPPING_ERROR (~(dma_addr_t)0)
#define DMA_BIT_MASK(n) ((n) == 64 ? ~0ULL : (1ULL << (n)) - 1)
#define bits_per(n) fls_long(n)
#define IORESOURCE_MEM 1
#define resource_type(r) ((r)->flags)

#define DMA_ATTR_PRIVILEGED 1UL
#define DMA_ATTR_NO_WARN 2UL
#define DMA_ATTR_SKIP_CPU_SYNC 4UL
#define DMA_ATTR_ALLOC_SINGLE_PAGES 8UL
#define DMA_ATTR_FORCE_CONTIGUOUS 16UL
#define DMA_ATTR_NO_KERNEL_MAPPING 32UL

/* ---- IOMMU domains ------------------------------------------------------------------------------------------ */

#define IOMMU_READ 1
#define IOMMU_WRITE 2
#define IOMMU_CACHE 4
#define IOMMU_NOEXEC 8
#define IOMMU_MMIO 16
#define IOMMU_PRIV 32
enum { IOMMU_DOMAIN_DMA = 3, IOMMU_DOMAIN_DMA_FQ = 11, IOMMU_DOMAIN_UNMANAGED = 1, IOMMU_DOMAIN_IDENTITY = 4 };
enum { IOMMU_RESV_DIRECT, IOMMU_RESV_DIRECT_RELAXABLE, IOMMU_RESV_RESERVED, IOMMU_RESV_MSI, IOMMU_RESV_SW_MSI };
enum iommu_cap { IOMMU_CAP_DEFERRED_FLUSH, IOMMU_CAP_CACHE_COHERENCY };
enum iommu_dma_cookie_type_unused { iomc_unused };

struct iommu_dma_cookie;
struct iommu_iotlb_gather {
	unsigned long start, end;
	size_t pgsize;
	struct list_head freelist;
	bool queued;
};
struct iommu_domain_ops { void (*flush_iotlb_all)(struct iommu_domain *); };
struct iommu_domain_geometry { dma_addr_t aperture_start, aperture_end; bool force_aperture; };
struct iommu_domain {
	unsigned type;
	const struct iommu_domain_ops *ops;
	unsigned long pgsize_bitmap;
	struct iommu_domain_geometry geometry;
	struct iommu_dma_cookie *iova_cookie;
};
struct iommu_resv_region { struct list_head list; phys_addr_t start; size_t length; int prot; unsigned type; };

#define iommu_get_dma_domain(dev) ((dev)->iomc_domain)
#define iommu_get_domain_for_dev(dev) ((dev)->iomc_domain)
#define iommu_iotlb_gather_init(g) (memset(g, 0, sizeof(*(g))), INIT_LIST_HEAD(&(g)->freelist))
#define iommu_unmap_fast(domain, iova, size, gather) ((void)(iova), (void)(gather), (size))
#define iommu_iotlb_sync(domain, gather) ((void)(domain), (void)(gather))
#define iommu_put_pages_list(list) ((void)(list))
#define put_pages_list(list) ((void)(list))
#define iommu_deferred_attach(dev, domain) 0
#define iommu_map(...) (iomc_map_fails ? -ENOMEM : 0)
#define iommu_map_atomic(...) (iomc_map_fails ? -ENOMEM : 0)
extern bool iomc_map_fails;
#define dev_WARN_ONCE(...) 0
#define dma_get_min_align_mask(dev) 0UL
#define list_sort(priv, list, compare) ((void)(compare)) /* the harness gives sorted lists */
#define list_del(entry) ((entry)->next->prev = (entry)->prev, (entry)->prev->next = (entry)->next)
#define device_iommu_capable(dev, cap) true
#define DEFINE_STATIC_KEY_FALSE(name) bool name
#define static_branch_unlikely(key) (*(key))
#define static_branch_enable(key) (*(key) = true)
#define early_param(name, function)
#define is_kdump_kernel() false
#define dma_range_map_min(map) 0ULL
#define dma_range_map_max(map) (~0ULL)
/* Reserved regions and windows are what the harness says they are. */
void iomc_get_resv_regions(struct device *dev, struct list_head *list);
#define iommu_get_resv_regions(dev, list) iomc_get_resv_regions(dev, list)
#define iommu_put_resv_regions(dev, list) ((void)(list))
struct pci_host_bridge *iomc_host_bridge(void);
#define pci_find_host_bridge(bus) iomc_host_bridge()
#define iort_iommu_get_resv_regions(dev, list)
#define of_iommu_get_resv_regions(dev, list)
#define is_of_node(node) false
#define is_acpi_device_node(node) false

struct dma_map_ops {
	unsigned flags;
	void *alloc, *free, *alloc_pages, *alloc_pages_op, *free_pages, *alloc_noncontiguous, *free_noncontiguous, *mmap;
	void *get_sgtable, *map_page, *unmap_page, *map_sg, *unmap_sg, *sync_single_for_cpu, *sync_single_for_device;
	void *sync_sg_for_cpu, *sync_sg_for_device, *map_resource, *unmap_resource, *get_merge_boundary, *opt_mapping_size;
	void *max_mapping_size;
};
struct msi_desc { struct device *dev; void *iommu_cookie; };
struct msi_msg { u32 address_lo, address_hi, data; };
struct io_tlb_mem;
struct pci_p2pdma_map_state { int map; };
enum pci_p2pdma_map_type { PCI_P2PDMA_MAP_NONE, PCI_P2PDMA_MAP_BUS_ADDR, PCI_P2PDMA_MAP_THRU_HOST_BRIDGE };
#ifndef IOMC_OWN_SGT_HANDLE
struct dma_sgt_handle { struct sg_table sgt; struct page **pages; };
#endif
/* Nobody maps scatter lists or synchronises buffers here. */
#define for_each_sg(list, sg, n, i) for ((i) = 0, (sg) = (list); (i) < (n); ++(i), (sg) = sg_next(sg))
#define for_each_sgtable_sg(table, sg, i) for_each_sg((table)->sgl, sg, (table)->orig_nents, i)
struct scatterlist *sg_next(struct scatterlist *sg);
struct page *virt_to_page(const void *address);

#endif
