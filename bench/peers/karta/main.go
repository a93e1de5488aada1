// Reads one workload with the Go library github.com/run-ai/karta: the peer of `read-one`.
//
//	karta --definition FILE --object FILE [--calls tree|getters] [--kind JobSet] [--seconds 1|--once]
//
// The definition is loaded once. Each iteration does what a consumer does for a workload that it
// has been handed by its informer: a component factory from the definition and the object, then the
// status, the instances, their scale and their pod templates, and the GPUs that these ask for.
//
//	tree     tree.Build(), the library's own way to all of it; it validates the definition each time
//	getters  Component.GetStatus() of the root and GetExtractedInstances() of its children: the
//	         least calls that give the same answer
//
// Prints one line of JSON: the answer, so that it can be compared with another reader's, and the
// time that an iteration took. CPU time is that of the whole process, garbage collection included.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/run-ai/karta/pkg/api/runai/v1alpha1"
	"github.com/run-ai/karta/pkg/resource"
	"github.com/run-ai/karta/pkg/tree"
)

const gpuResource = corev1.ResourceName("nvidia.com/gpu")

// answer is what a consumer wants to know of a workload.
type answer struct {
	Phases    []string        `json:"phases"`
	Instances map[string]role `json:"instances"`
	Pods      int64           `json:"pods"` // only with --once
	GPUs      int64           `json:"gpus"`
}

type role struct {
	Replicas int64 `json:"replicas"`
	GPUs     int64 `json:"gpus"`
}

type report struct {
	answer
	Iterations int     `json:"iterations"`
	CPU        float64 `json:"cpu_ns"`
	Wall       float64 `json:"wall_ns"`
}

func main() {
	definition := flag.String("definition", "", "the `file` with the definition")
	object := flag.String("object", "", "the `file` with the object, alone or in a List")
	kind := flag.String("kind", "JobSet", "the object's kind, to find it in a List")
	calls := flag.String("calls", "tree", "tree or getters")
	seconds := flag.Float64("seconds", 1, "how long to measure")
	once := flag.Bool("once", false, "print the answer and measure nothing")
	flag.Parse()
	if *once {
		*seconds = 0
	}
	if err := run(*definition, *object, *kind, *calls, *seconds); err != nil {
		fmt.Fprintln(os.Stderr, "karta:", err)
		os.Exit(1)
	}
}

func run(definitionFile, objectFile, kind, calls string, seconds float64) error {
	read, known := map[string]func(*resource.ComponentFactory) (answer, error){
		"tree": readTree, "getters": readWithGetters,
	}[calls]
	if !known {
		return fmt.Errorf("--calls is tree or getters, not %q", calls)
	}
	karta, err := loadDefinition(definitionFile)
	if err != nil {
		return err
	}
	object, err := loadObject(objectFile, kind)
	if err != nil {
		return err
	}
	once := func() (answer, error) {
		return read(resource.NewComponentFactoryFromObject(karta, object))
	}
	if seconds == 0 {
		all, err := readCounts(resource.NewComponentFactoryFromObject(karta, object))
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(all)
	}
	var out report
	if out.answer, err = once(); err != nil {
		return err
	}
	startCPU, start := processCPU(), time.Now()
	for time.Since(start).Seconds() < seconds {
		if _, err := once(); err != nil {
			return err
		}
		out.Iterations++
	}
	out.CPU = float64(processCPU()-startCPU) / float64(out.Iterations)
	out.Wall = float64(time.Since(start)) / float64(out.Iterations)
	return json.NewEncoder(os.Stdout).Encode(out)
}

func loadDefinition(file string) (*v1alpha1.Karta, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	karta := &v1alpha1.Karta{}
	if err := yaml.UnmarshalStrict(text, karta); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	structure := &karta.Spec.StructureDefinition
	applyDefaults(&structure.RootComponent)
	for i := range structure.ChildComponents {
		applyDefaults(&structure.ChildComponents[i])
	}
	if err := v1alpha1.NewKartaValidator(karta).Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return karta, nil
}

// applyDefaults does what the API server does with the defaults of the definition's schema.
func applyDefaults(component *v1alpha1.ComponentDefinition) {
	if component.StatusDefinition == nil || component.StatusDefinition.ConditionsDefinition == nil {
		return
	}
	conditions := component.StatusDefinition.ConditionsDefinition
	message, reason := "message", "reason"
	if conditions.TypeFieldName == "" {
		conditions.TypeFieldName = "type"
	}
	if conditions.StatusFieldName == "" {
		conditions.StatusFieldName = "status"
	}
	if conditions.MessageFieldName == nil {
		conditions.MessageFieldName = &message
	}
	if conditions.ReasonFieldName == nil {
		conditions.ReasonFieldName = &reason
	}
}

func loadObject(file, kind string) (*unstructured.Unstructured, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	text, err = yaml.YAMLToJSON(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	document := &unstructured.Unstructured{}
	if err := document.UnmarshalJSON(text); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	candidates := []unstructured.Unstructured{*document}
	if document.IsList() {
		list, err := document.ToList()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		candidates = list.Items
	}
	for i := range candidates {
		if candidates[i].GetKind() == kind {
			return &candidates[i], nil
		}
	}
	return nil, fmt.Errorf("%s: no %s in it", file, kind)
}

func readTree(factory *resource.ComponentFactory) (answer, error) {
	built, err := tree.Build(context.Background(), factory)
	if err != nil {
		return answer{}, err
	}
	out := answer{Instances: map[string]role{}}
	if built.Status != nil {
		out.Phases = built.Status.Phases
	}
	addComponents(&out, built.Children)
	return out, nil
}

// readCounts reads what the workload asks for in all: the root's own pods too, and the parts of a part
// as often as there are copies of it.
func readCounts(factory *resource.ComponentFactory) (answer, error) {
	ctx := context.Background()
	out, err := readTree(factory)
	if err != nil {
		return out, err
	}
	built, err := tree.Build(ctx, factory)
	if err != nil {
		return out, err
	}
	root, err := factory.GetRootComponent()
	if err != nil {
		return out, err
	}
	out.Instances, out.Pods, out.GPUs = map[string]role{}, 0, 0
	instances, err := root.GetExtractedInstances(ctx)
	if err != nil {
		return out, err
	}
	copies := int64(1)
	for _, instance := range instances {
		if root.HasPodDefinition() {
			addCopies(&out, root.Name(), &instance, 1)
		} else {
			copies = countOf(&instance).Replicas
		}
	}
	addCounts(&out, built.Children, copies)
	return out, nil
}

func addCounts(out *answer, components []tree.ComponentNode, copies int64) {
	for _, component := range components {
		for _, instance := range component.Instances {
			below := copies
			if instance.ExtractedInstance != nil {
				if component.HasPodDefinition {
					addCopies(out, component.Name, instance.ExtractedInstance, copies)
				} else {
					below *= countOf(instance.ExtractedInstance).Replicas
				}
			}
			addCounts(out, instance.Children, below)
		}
	}
}

func addCopies(out *answer, id string, instance *resource.ExtractedInstance, copies int64) {
	counted := countOf(instance)
	out.Pods += copies * counted.Replicas
	out.GPUs += copies * counted.Replicas * counted.GPUs
	out.Instances[id] = counted
}

func addComponents(out *answer, components []tree.ComponentNode) {
	for _, component := range components {
		for _, instance := range component.Instances {
			if instance.ExtractedInstance != nil && component.HasPodDefinition {
				id := component.Name
				if instance.InstanceKey != nil {
					id = *instance.InstanceKey
				}
				addInstance(out, id, instance.ExtractedInstance)
			}
			addComponents(out, instance.Children)
		}
	}
}

func readWithGetters(factory *resource.ComponentFactory) (answer, error) {
	ctx := context.Background()
	out := answer{Instances: map[string]role{}}
	root, err := factory.GetRootComponent()
	if err != nil {
		return out, err
	}
	status, err := root.GetStatus(ctx)
	if err != nil {
		return out, err
	}
	if status != nil {
		for _, phase := range status.MatchedStatuses {
			out.Phases = append(out.Phases, string(phase))
		}
	}
	children, err := factory.GetChildComponents()
	if err != nil {
		return out, err
	}
	for _, child := range children {
		if !child.HasPodDefinition() {
			continue
		}
		instances, err := child.GetExtractedInstances(ctx)
		if err != nil {
			return out, err
		}
		for id, instance := range instances {
			if id == "" {
				id = child.Name()
			}
			addInstance(&out, id, &instance)
		}
	}
	return out, nil
}

func addInstance(out *answer, id string, instance *resource.ExtractedInstance) {
	counted := countOf(instance)
	out.Instances[id] = counted
	out.GPUs += counted.Replicas * counted.GPUs
}

func countOf(instance *resource.ExtractedInstance) role {
	counted := role{Replicas: 1}
	if instance.Scale != nil && instance.Scale.Replicas != nil {
		counted.Replicas = int64(*instance.Scale.Replicas)
	}
	if instance.PodTemplateSpec != nil {
		counted.GPUs = gpusPerPod(&instance.PodTemplateSpec.Spec)
	} else if instance.PodSpec != nil {
		counted.GPUs = gpusPerPod(instance.PodSpec)
	} else if parts := instance.FragmentedPodSpec; parts != nil {
		containers := append([]corev1.Container{}, parts.Containers...)
		if parts.Container != nil {
			containers = append(containers, *parts.Container)
		}
		if parts.Resources != nil {
			containers = append(containers, corev1.Container{Resources: *parts.Resources})
		}
		counted.GPUs = gpusPerPod(&corev1.PodSpec{Containers: containers})
	}
	return counted
}

// gpusPerPod takes the larger of the containers' sum and the largest init container.
func gpusPerPod(pod *corev1.PodSpec) int64 {
	var sum int64
	for i := range pod.Containers {
		sum += gpusOf(&pod.Containers[i])
	}
	for i := range pod.InitContainers {
		sum = max(sum, gpusOf(&pod.InitContainers[i]))
	}
	return sum
}

func gpusOf(container *corev1.Container) int64 {
	if quantity, asked := container.Resources.Requests[gpuResource]; asked {
		return quantity.Value()
	}
	quantity := container.Resources.Limits[gpuResource]
	return quantity.Value()
}

func processCPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
